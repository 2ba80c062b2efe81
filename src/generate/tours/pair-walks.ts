import type { Moves } from '../exploration/state-graph.ts';
import { type Arc, cheapestBalance } from './min-cost-flow.ts';

/** Tests that cover every transition pair, as transition numbers. */
export interface PairWalks {
  readonly tests: readonly (readonly number[])[];
  /** Number of transition pairs: the second transition starts where the first one ends. */
  readonly pairs: number;
  readonly cost: number;
  readonly lowerBound: number;
}

/** Input of a pair tour. */
export interface PairTask {
  readonly states: number;
  readonly moves: Moves;
  readonly resetCost: number;
  /** Cost of ending a test, by state. */
  readonly endCosts: readonly number[];
}

/**
 * Computes the cheapest tests that cover every transition and every transition pair: a postman tour with resets of the
 * line graph, whose nodes are transitions and whose arcs are pairs. The line graph is never built. Any pair of
 * transitions that meet at a state can be repeated, so the repetitions form a flow over the states. A transition with
 * more incoming than outgoing pairs gives a surplus to its end state. A transition with more outgoing than incoming
 * pairs adds a deficit, at the cost of one event, to its start state. This flow costs the same as the flow over the
 * line graph, and its potentials are valid there.
 */
export function pairWalks(task: PairTask): PairWalks {
  if (task.moves.count === 0) {
    const cost = task.resetCost + (task.endCosts[0] ?? 0);
    return { tests: [[]], pairs: 0, cost, lowerBound: cost };
  }
  const demand = computeDemand(task.moves, task.states);
  const { flow, arcs, bound } = balance(task, demand);
  const extra = computeExtras(task, demand, { flow, arcs });
  const tests = circuit(task, extra);
  const steps = tests.reduce((sum, { length }) => sum + length, 0);
  const ends = tests.reduce((sum, test) => sum + (task.endCosts[getEnd(test, task.moves)] ?? 0), 0);
  const cost = steps + ends + task.resetCost * tests.length;
  return { tests, pairs: demand.pairs, cost, lowerBound: demand.fixed + task.resetCost + bound };
}

function getEnd(test: readonly number[], { to }: Moves): number {
  return to[test.at(-1) as number] as number;
}

/** Number of times that each transition must be entered and left in addition to its pairs. */
interface Demand {
  readonly pairs: number;
  /** Events in any tests: one per pair, and one per additional entry of a transition. */
  readonly fixed: number;
  /** Surplus per transition: positive for additional incoming pairs, negative for additional outgoing pairs. */
  readonly surplus: Int32Array;
  /** Transitions without any pair, each of which is both the start and the end of a test. */
  readonly alone: readonly number[];
}

function computeDemand({ count, from, to, offsets }: Moves, states: number): Demand {
  const arriving = new Int32Array(states);
  for (let move = 0; move < count; move += 1)
    arriving[to[move] as number] = (arriving[to[move] as number] as number) + 1;
  const surplus = new Int32Array(count);
  const alone: number[] = [];
  let pairs = 0;
  let fixed = 0;
  for (let move = 0; move < count; move += 1) {
    const into = arriving[from[move] as number] as number;
    const end = to[move] as number;
    const out = (offsets[end + 1] as number) - (offsets[end] as number);
    pairs += out;
    surplus[move] = into - out;
    if (into === 0 && out === 0) alone.push(move);
    fixed += out + Math.max(0, out - into);
  }
  return { pairs, fixed: fixed + alone.length, surplus, alone };
}

interface Flow {
  readonly flow: Int32Array;
  readonly arcs: readonly (Arc & { readonly move: number })[];
}

/**
 * Balances the flow over the states. The initial state has two nodes: one for arrivals, where a test can end, and one
 * for departures, where tests start. This excludes empty tests.
 */
function balance({ states, moves, resetCost, endCosts }: PairTask, demand: Demand): Flow & { readonly bound: number } {
  const { from, to, count } = moves;
  const [leave, rest] = [states, states + 1];
  const out = (state: number) => (state === 0 ? leave : state);
  const begin = { from: rest, to: leave, cost: resetCost, move: -1 };
  const known = new Set<number>();
  const arcs: (Arc & { readonly move: number })[] = [];
  for (let move = 0; move < count; move += 1) {
    const [one, other] = [from[move] as number, to[move] as number];
    // A single transition between two states is enough for moving.
    if (one === other || known.has(one * states + other)) continue;
    known.add(one * states + other);
    arcs.push({ from: out(one), to: other, cost: 1, move });
  }
  arcs.push({ from: 0, to: leave, cost: 0, move: -1 }, begin);
  for (const [state, cost] of endCosts.entries()) arcs.push({ from: state, to: rest, cost, move: -1 });
  const excess = new Int32Array(states + 2);
  const add = (node: number, much: number) => {
    excess[node] = (excess[node] as number) + much;
  };
  // There is at least one test.
  add(leave, 1);
  add(rest, -1);
  for (let move = 0; move < count; move += 1) {
    const much = demand.surplus[move] as number;
    if (much > 0) add(to[move] as number, much);
    else add(out(from[move] as number), much);
  }
  for (const move of demand.alone) {
    add(to[move] as number, 1);
    add(out(from[move] as number), -1);
  }
  const { flow, bound } = cheapestBalance(states + 2, arcs, excess);
  return { flow, arcs, bound };
}

/**
 * Repetitions in addition to one use of each pair: the followers of each transition, and the first transitions of
 * tests.
 */
interface Extras {
  readonly begins: number[];
  /** Additional followers by transition; -1 ends a test. */
  readonly after: readonly number[][];
}

function computeExtras({ states, moves }: PairTask, { surplus, alone }: Demand, { flow, arcs }: Flow): Extras {
  const arriving: number[][] = Array.from({ length: states }, () => []);
  const departing: number[][] = Array.from({ length: states }, () => []);
  const note = (move: number, arrives: number, departs: number) => {
    for (let times = 0; times < arrives; times += 1) arriving[moves.to[move] as number]?.push(move);
    for (let times = 0; times < departs; times += 1) departing[moves.from[move] as number]?.push(move);
  };
  for (const [move, much] of surplus.entries()) note(move, Math.max(0, much), Math.max(0, -much));
  for (const move of alone) note(move, 1, 1);
  let begins = 1;
  for (const [number, { move, from, to, cost: _cost }] of arcs.entries()) {
    const times = flow[number] as number;
    if (move >= 0) note(move, times, times);
    else if (from === states + 1 && to === states) begins += times;
  }
  const first = (departing[0] as number[]).splice(0, begins);
  const after: number[][] = Array.from({ length: moves.count }, () => []);
  for (const [state, come] of arriving.entries()) {
    const go = departing[state] as number[];
    // An arrival without a departure ends a test.
    for (const [place, move] of come.entries()) after[move]?.push(go[place] ?? -1);
  }
  return { begins: first, after };
}

/**
 * Finds a closed walk over the line graph that uses each pair once and each repetition as often as listed, cut into
 * tests.
 */
function circuit({ moves }: PairTask, { begins, after }: Extras): readonly (readonly number[])[] {
  const { to, offsets, count } = moves;
  const next = new Int32Array(count);
  for (let move = 0; move < count; move += 1) next[move] = offsets[to[move] as number] as number;
  const follow = (move: number): number | undefined => {
    if (move < 0) return begins.pop();
    const place = next[move] as number;
    if (place < (offsets[(to[move] as number) + 1] as number)) {
      next[move] = place + 1;
      return place;
    }
    return after[move]?.pop();
  };
  const stack = [-1];
  const walk: number[] = [];
  for (let move = stack.at(-1); move !== undefined; move = stack.at(-1)) {
    const following = follow(move);
    if (following === undefined) {
      stack.pop();
      walk.push(move);
    } else stack.push(following);
  }
  const tests: number[][] = [];
  for (let place = walk.length - 1; place > 0; place -= 1) {
    const move = walk[place] as number;
    if (move < 0) tests.push([]);
    else tests.at(-1)?.push(move);
  }
  return tests;
}
