import type { BuchiAutomaton } from '../automata/automaton.ts';
import { BuchiProduct, type Cursor } from './buchi-product.ts';
import type { Letters } from './letters.ts';
import type { PathStep, Search } from './paths.ts';
import type { StepGraph } from './step-graph.ts';
import { findComponents } from './strong-components.ts';

/** Maximum number of starts whose shortest cycles are compared. */
const startsMax = 64;

/**
 * Searches a path that an automaton accepts: one that reaches a strongly connected component in which it can visit every
 * acceptance set forever. The stem is the shortest one to any such component, and the cycle the shortest one from
 * there through all acceptance sets.
 *
 * @param automaton - automaton of the negated property with its fairness conditions
 */
export function checkLiveness(graph: StepGraph, letters: Letters, automaton: BuchiAutomaton): Search {
  const product = new BuchiProduct(graph, letters, automaton);
  const { of, accepting } = findComponents(product, groupStates(automaton, letters));
  const isAccepting = (node: number): boolean => accepting[of[node] as number] === true;
  let start = 0;
  while (start < product.size && !isAccepting(start)) start += 1;
  if (start === product.size) return { path: null, visited: product.size };
  const { node, cycle } = findCycle(product, of, listStarts(product, start, isAccepting));
  const stem = product.pathTo(node);
  return { path: { steps: [...stem, ...cycle], cycleFrom: stem.length }, visited: product.size };
}

/**
 * Numbers the components of an automaton, so the search follows no steps between them. Components without all acceptance
 * sets get -1.
 */
function groupStates(automaton: BuchiAutomaton, { masks, first }: Letters): Int32Array {
  const letters = Uint16Array.from(masks, (_, letter) => letter);
  const alone = {
    states: 1,
    offsets: Uint32Array.of(0, masks.length),
    targets: new Int32Array(masks.length),
  };
  const product = new BuchiProduct(alone, { masks, steps: letters, first }, automaton);
  const { of, accepting } = findComponents(product, new Int32Array(automaton.states));
  const group = new Int32Array(automaton.states).fill(-1);
  for (let node = 0; node < product.size; node += 1) {
    const component = of[node] as number;
    group[product.getAutomatonState(node)] = accepting[component] === true ? component : -1;
  }
  return group;
}

/** Lists the pairs of accepting components that are as near as the first one. */
function listStarts(product: BuchiProduct, first: number, isAccepting: (node: number) => boolean): readonly number[] {
  const depth = product.getDepth(first);
  const starts: number[] = [];
  for (let node = first; node < product.size && product.getDepth(node) === depth; node += 1) {
    if (isAccepting(node)) starts.push(node);
    if (starts.length === startsMax) break;
  }
  return starts;
}

interface Visit {
  readonly node: number;
  /** Acceptance sets that the cycle visited so far, as bits. */
  readonly bits: number;
  readonly from: Visit | null;
  readonly step: PathStep | null;
  readonly depth: number;
}

function findCycle(
  product: BuchiProduct,
  components: Int32Array,
  starts: readonly number[],
): { readonly node: number; readonly cycle: readonly PathStep[] } {
  let best: { readonly node: number; readonly cycle: readonly PathStep[] } | null = null;
  for (const node of starts) {
    const cycle = findCycleFrom(product, components, node, best?.cycle.length ?? Number.POSITIVE_INFINITY);
    if (cycle !== null) best = { node, cycle };
  }
  if (best === null) throw new TypeError('An accepting component has no cycle.');
  return best;
}

/** Finds the shortest cycle from a pair through all acceptance sets; `null` if it has `lengthMax` steps or more. */
function findCycleFrom(
  product: BuchiProduct,
  components: Int32Array,
  start: number,
  lengthMax: number,
): readonly PathStep[] | null {
  const { sets, accepts } = product.automaton;
  const whole = 2 ** sets - 1;
  const queue: Visit[] = [{ node: start, bits: 0, from: null, step: null, depth: 0 }];
  const known = new Set<number>([start * (whole + 1)]);
  const cursor: Cursor = { step: 0, transition: -1 };
  // The queue grows during the iteration.
  for (const visit of queue) {
    if (visit.depth + 1 >= lengthMax) return null;
    const { node } = visit;
    product.begin(node, cursor);
    for (let next = product.advance(node, cursor); next !== -1; next = product.advance(node, cursor)) {
      if (components[next] !== components[start]) continue;
      const bits = visit.bits | (accepts[cursor.transition] as number);
      const last = { node: next, bits, from: visit, step: product.getStep(node, cursor), depth: visit.depth + 1 };
      if (next === start && bits === whole) return listSteps(last);
      const key = next * (whole + 1) + bits;
      if (known.has(key)) continue;
      known.add(key);
      queue.push(last);
    }
  }
  return null;
}

function listSteps(last: Visit): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (let visit: Visit | null = last; visit?.step != null; visit = visit.from) steps.push(visit.step);
  return steps.reverse();
}
