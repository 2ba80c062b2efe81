import { type Monitor, refuted } from '../automata/automaton.ts';
import type { Letters } from './letters.ts';
import { NumberList, type PathStep, type Search } from './paths.ts';
import type { StepGraph } from './step-graph.ts';

/**
 * Searches the product of a graph and a monitor breadth first, so the path to a refutation has the fewest steps of all
 * that refute the property.
 */
export function checkSafety(graph: StepGraph, letters: Letters, monitor: Monitor): Search {
  const start = monitor.targets[letters.first] as number;
  if (start === refuted) return { path: { steps: [], cycleFrom: null }, visited: 1 };
  return new SafetySearch(graph, letters, monitor).run(start);
}

class SafetySearch {
  readonly #graph: StepGraph;
  readonly #letters: Letters;
  readonly #monitor: Monitor;
  /** Visited states of the graph, as bits, by state of the monitor. */
  readonly #seen: (Uint32Array | undefined)[] = [];
  readonly #states = new NumberList();
  readonly #monitors = new NumberList();
  readonly #from = new NumberList();
  readonly #steps = new NumberList();

  constructor(graph: StepGraph, letters: Letters, monitor: Monitor) {
    this.#graph = graph;
    this.#letters = letters;
    this.#monitor = monitor;
  }

  run(start: number): Search {
    const { offsets, targets } = this.#graph;
    const { masks, steps } = this.#letters;
    const next = this.#monitor.targets;
    this.#visit(0, start, -1, -1);
    for (let head = 0; head < this.#states.length; head += 1) {
      const state = this.#states.get(head);
      const row = this.#monitors.get(head) * masks.length;
      const end = offsets[state + 1] as number;
      for (let at = offsets[state] as number; at < end; at += 1) {
        const monitor = next[row + (steps[at] as number)] as number;
        if (monitor === refuted) return { path: this.#pathOver(head, at), visited: this.#states.length };
        const target = targets[at] as number;
        if (!this.#isNew(target, monitor)) continue;
        this.#visit(target, monitor, head, at);
      }
    }
    return { path: null, visited: this.#states.length };
  }

  /** Marks a pair, and returns `true` if it was not marked before. */
  #isNew(state: number, monitor: number): boolean {
    let seen = this.#seen[monitor];
    if (seen === undefined) {
      seen = new Uint32Array((this.#graph.states >>> 5) + 1);
      this.#seen[monitor] = seen;
    }
    const word = seen[state >>> 5] as number;
    const bit = 1 << (state & 31);
    if ((word & bit) !== 0) return false;
    seen[state >>> 5] = word | bit;
    return true;
  }

  #visit(state: number, monitor: number, from: number, step: number): void {
    if (from === -1) this.#isNew(state, monitor);
    this.#states.push(state);
    this.#monitors.push(monitor);
    this.#from.push(from);
    this.#steps.push(step);
  }

  #pathOver(head: number, step: number): { readonly steps: readonly PathStep[]; readonly cycleFrom: null } {
    const { targets } = this.#graph;
    const steps: PathStep[] = [{ from: this.#states.get(head), step, to: targets[step] as number }];
    for (let at = head; this.#from.get(at) !== -1; at = this.#from.get(at)) {
      const before = this.#states.get(this.#from.get(at));
      steps.push({ from: before, step: this.#steps.get(at), to: this.#states.get(at) });
    }
    return { steps: steps.reverse(), cycleFrom: null };
  }
}
