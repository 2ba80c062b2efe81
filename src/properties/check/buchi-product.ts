import type { BuchiAutomaton } from '../automata/automaton.ts';
import type { Letters } from './letters.ts';
import { NumberList, type PathStep } from './paths.ts';
import type { StepGraph } from './step-graph.ts';

/** Graph whose steps have letters. */
export type LetteredGraph = Pick<StepGraph, 'states' | 'offsets' | 'targets'>;

/** Position in the successors of a node: a step of the graph, and a transition of the automaton. */
export interface Cursor {
  step: number;
  transition: number;
}

/**
 * Reachable pairs of a state of a graph and a state of an automaton, numbered in breadth-first order. A pair has a
 * successor for each step and each transition of the automaton that reads its letter.
 */
export class BuchiProduct {
  readonly automaton: BuchiAutomaton;
  readonly #graph: LetteredGraph;
  readonly #letters: Letters;
  /** Number of each pair plus one, by state of the automaton and state of the graph. */
  readonly #numbers: (Int32Array | undefined)[] = [];
  readonly #states = new NumberList();
  readonly #automata = new NumberList();
  readonly #from = new NumberList();
  readonly #steps = new NumberList();
  readonly #depths = new NumberList();

  /** Explores the pairs. */
  constructor(graph: LetteredGraph, letters: Letters, automaton: BuchiAutomaton) {
    this.automaton = automaton;
    this.#graph = graph;
    this.#letters = letters;
    const { offsets, targets } = automaton;
    const end = offsets[letters.first + 1] as number;
    for (let at = offsets[letters.first] as number; at < end; at += 1) this.#visit(0, targets[at] as number, -1, -1);
    for (let head = 0; head < this.#states.length; head += 1) this.#expand(head);
  }

  /** Number of pairs. */
  get size(): number {
    return this.#states.length;
  }

  /** Returns the state of the automaton in a pair. */
  getAutomatonState(node: number): number {
    return this.#automata.get(node);
  }

  /** Returns the number of steps of a shortest path to a pair. */
  getDepth(node: number): number {
    return this.#depths.get(node);
  }

  /** Moves a cursor to the first successor of a pair. */
  begin(node: number, cursor: Cursor): void {
    cursor.step = this.#graph.offsets[this.#states.get(node)] as number;
    cursor.transition = -1;
  }

  /** Moves a cursor to the next successor of a pair and returns it, or returns -1 at the end. */
  advance(node: number, cursor: Cursor): number {
    const { offsets, targets } = this.#graph;
    const { steps, masks } = this.#letters;
    const row = this.#automata.get(node) * masks.length;
    const end = offsets[this.#states.get(node) + 1] as number;
    let { step, transition } = cursor;
    while (step < end) {
      const place = row + (steps[step] as number);
      transition = transition === -1 ? (this.automaton.offsets[place] as number) : transition + 1;
      if (transition < (this.automaton.offsets[place + 1] as number)) {
        cursor.step = step;
        cursor.transition = transition;
        return this.#find(targets[step] as number, this.automaton.targets[transition] as number);
      }
      step += 1;
      transition = -1;
    }
    cursor.step = end;
    cursor.transition = -1;
    return -1;
  }

  /** Returns the step of the graph that leads from a pair to its successor at a cursor. */
  getStep(node: number, { step }: Cursor): PathStep {
    return { from: this.#states.get(node), step, to: this.#graph.targets[step] as number };
  }

  /** Returns the steps of a shortest path to a pair. */
  pathTo(node: number): readonly PathStep[] {
    const path: PathStep[] = [];
    for (let at = node; this.#from.get(at) !== -1; at = this.#from.get(at)) {
      const from = this.#states.get(this.#from.get(at));
      path.push({ from, step: this.#steps.get(at), to: this.#states.get(at) });
    }
    return path.reverse();
  }

  #expand(head: number): void {
    const { offsets, targets } = this.#graph;
    const { steps, masks } = this.#letters;
    const state = this.#states.get(head);
    const row = this.#automata.get(head) * masks.length;
    const end = offsets[state + 1] as number;
    for (let step = offsets[state] as number; step < end; step += 1) {
      const place = row + (steps[step] as number);
      const last = this.automaton.offsets[place + 1] as number;
      for (let at = this.automaton.offsets[place] as number; at < last; at += 1) {
        this.#visit(targets[step] as number, this.automaton.targets[at] as number, head, step);
      }
    }
  }

  #visit(state: number, automaton: number, from: number, step: number): void {
    let numbers = this.#numbers[automaton];
    if (numbers === undefined) {
      numbers = new Int32Array(this.#graph.states);
      this.#numbers[automaton] = numbers;
    }
    if (numbers[state] !== 0) return;
    numbers[state] = this.#states.length + 1;
    this.#states.push(state);
    this.#automata.push(automaton);
    this.#from.push(from);
    this.#steps.push(step);
    this.#depths.push(from === -1 ? 0 : this.#depths.get(from) + 1);
  }

  #find(state: number, automaton: number): number {
    return ((this.#numbers[automaton] as Int32Array)[state] as number) - 1;
  }
}
