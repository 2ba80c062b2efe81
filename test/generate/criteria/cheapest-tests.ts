import { createStepper } from '../../../machines/step.ts';
import type { Model } from '../../../src/compiled/model.ts';
import { explore } from '../../../src/generate/exploration/explore.ts';

export type Given = Omit<Model, 'name'>;
export type Goal = 'states' | 'transitions' | 'pairs';

/** Position in a search: the current state, the last transition and the length of the current test. */
interface At {
  readonly state: number;
  readonly last: string;
  readonly length: number;
}

const explorations = new WeakMap<Given, ReturnType<typeof explore>>();

/** Returns the exploration of a machine. It is cached, because every check of a test needs it. */
function getExplored(model: Given): ReturnType<typeof explore> {
  const known = explorations.get(model) ?? explore(model.machine, model);
  explorations.set(model, known);
  return known;
}

const start: At = { state: 0, last: '', length: 0 };

/** Lists the coverage items of one step by name. */
function listItems(goal: Goal, { last }: At, move: string, to: number): readonly string[] {
  if (goal === 'states') return [String(to)];
  if (goal === 'transitions') return [move];
  return last === '' ? [move] : [move, `${last} > ${move}`];
}

/** Lists the moves of an explored machine to other states: name and target by state. */
function createMoves(model: Given) {
  const explored = getExplored(model);
  const count = explored.events.length;
  const moves = new Map<number, { readonly name: string; readonly to: number }[]>();
  for (const [at, to] of explored.targets.entries()) {
    const from = Math.floor(at / count);
    if (from === to) continue;
    moves.set(from, [...(moves.get(from) ?? []), { name: `${from}/${at % count}`, to }]);
  }
  return { states: explored.states.length, moves };
}

/**
 * Lists all coverage items. The items of transition pairs include the single transitions, which every tour contains.
 */
export function allItems(model: Given, goal: Goal): ReadonlySet<string> {
  const { states, moves } = createMoves(model);
  if (goal === 'states') return new Set(Array.from({ length: states }, (_, state) => String(state)));
  const all = [...moves.values()].flat();
  const single = all.map(({ name }) => name);
  if (goal === 'transitions') return new Set(single);
  return new Set([
    ...single,
    ...all.flatMap((one) => (moves.get(one.to) ?? []).map(({ name }) => `${one.name} > ${name}`)),
  ]);
}

/**
 * Computes the minimum cost of tests that meet a coverage criterion by trying all paths in order of cost. A search node
 * consists of the state, the covered items and, if it is limited, the length of the test. Ending a test may have a cost.
 * Suitable only for small machines. Shares no code with the transition tours.
 */
export function cheapestCost(
  model: Given,
  goal: Goal,
  resetCost: number,
  maxLength = Number.POSITIVE_INFINITY,
  endCost: (state: number) => number = () => 0,
): number {
  const { moves } = createMoves(model);
  const bits = new Map([...allItems(model, goal)].map((name, bit) => [name, 1n << BigInt(bit)]));
  const all = (1n << BigInt(bits.size)) - 1n;
  const isBounded = maxLength < Number.POSITIVE_INFINITY;
  const toKey = ({ state, last, length }: At, set: bigint) =>
    [state, goal === 'pairs' ? last : '', set, isBounded ? length : 0].join(' ');
  const first = goal === 'states' ? (bits.get('0') as bigint) : 0n;
  const buckets: [at: At, set: bigint][][] = [];
  const put = (cost: number, at: At, set: bigint) => putInto(buckets, cost, [at, set]);
  const listNext = ({ length, state }: At) => (length < maxLength ? (moves.get(state) ?? []) : []);
  const seen = new Set<string>();
  put(resetCost, start, first);
  for (let cost = 0; cost < buckets.length; cost += 1) {
    for (const [at, set] of buckets[cost] ?? []) {
      if (at.state < 0) return cost;
      if (set === all) put(cost + endCost(at.state), { ...at, state: -1 }, set);
      const key = toKey(at, set);
      if (seen.has(key)) continue;
      seen.add(key);
      put(cost + endCost(at.state) + resetCost, start, set);
      const next = listNext(at);
      for (const { name, to } of next) {
        const more = listItems(goal, at, name, to).reduce((sum, item) => sum | (bits.get(item) as bigint), set);
        put(cost + 1, { state: to, last: name, length: at.length + 1 }, more);
      }
    }
  }
  throw new TypeError('No walk covers it.');
}

/**
 * Lists the coverage items that tests miss, in a form that can be found in the machine: states by name and number,
 * transitions by their event.
 *
 * @param model - Machine to cover.
 * @param goal - Coverage criterion.
 * @param tests - Event sequences of the tests.
 */
export function missedBy(model: Given, goal: Goal, tests: readonly (readonly object[])[]): readonly string[] {
  const covered = coveredBy(model, goal, tests);
  const missed = [...allItems(model, goal)].filter((item) => !covered.has(item));
  if (missed.length === 0) return [];
  const { states, events } = getExplored(model);
  const stateName = (state: string): string => `${JSON.stringify(states[Number(state)]?.value)} #${state}`;
  const moveName = (move: string): string => {
    const [state = '', event] = move.split('/');
    return `${stateName(state)} on ${JSON.stringify(events[Number(event)])}`;
  };
  return missed.map((item) => (goal === 'states' ? stateName(item) : item.split(' > ').map(moveName).join(', then ')));
}

function putInto<T>(buckets: T[][], cost: number, value: T): void {
  buckets[cost] ??= [];
  buckets[cost].push(value);
}

/**
 * Returns the coverage items of tests by executing them on the machine. A step that stays in its state covers nothing
 * and does not interrupt a transition pair.
 */
export function coveredBy(model: Given, goal: Goal, tests: readonly (readonly object[])[]): ReadonlySet<string> {
  const explored = getExplored(model);
  const step = createStepper(model.machine, model.input);
  const numbers = new Map(explored.events.map((event, number) => [JSON.stringify(event), number]));
  const found = new Set<string>(goal === 'states' ? ['0'] : []);
  for (const test of tests) {
    let snapshot = explored.states[0];
    let at: At = { state: 0, last: '', length: 0 };
    for (const event of test) {
      const after = step(snapshot as never, event as never);
      snapshot = model.normalize?.(after, event as never) ?? after;
      const to = explored.stateNumber(snapshot as never) ?? -1;
      if (to === at.state) continue;
      const move = `${at.state}/${numbers.get(JSON.stringify(event))}`;
      for (const item of listItems(goal, at, move, to)) found.add(item);
      at = { state: to, last: move, length: at.length + 1 };
    }
  }
  return found;
}
