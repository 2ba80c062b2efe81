import { getShortestPaths } from 'xstate/graph';
import { exploreByReference } from '../src/generate/exploration/explore.ts';
import { CompiledProduct, exploreProductByReference } from '../src/generate/exploration/explore-product.ts';
import type { Product } from '../src/generate/exploration/product.ts';
import { ProductSteps } from '../src/generate/exploration/product-steps.ts';
import type { StateGraph } from '../src/generate/exploration/state-graph.ts';
import { lifecycleProduct } from '../src/generate/models/lifecycle-product.ts';
import { type TenantAlphabet, tenantProduct } from '../src/generate/models/tenant-product.ts';
import { createProductTour } from '../src/generate/tours/transition-tour.ts';
import { takenAtRandom } from './explore-random.ts';
import { atLeast, atMost, atRate, type BenchRow, median, missedUnless, statedAgainst, withinTime } from './measure.ts';

/**
 * Compares the packed search with xstate’s `getAdjacencyMap` on products of campaign, user and lifecycle,
 * alternating in one process. Both use the same machines, actions and abstraction. The logic explored by
 * `getAdjacencyMap` steps the same machines in parallel. Neither checks invariants. The large product is too large
 * for `getAdjacencyMap`, so its rate is compared with that of the middle one.
 */

const rounds = 5;
const middle: TenantAlphabet = {
  snoozeDays: [1, 2, 3],
  methods: ['vendorAuthenticator'],
  switches: [],
  prompts: ['p1'],
  users: ['included', 'excluded'],
};
const large: TenantAlphabet = {
  ...middle,
  snoozeDays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  switches: ['snoozeDays', 'snoozeLimit', 'targeting'],
  users: ['included', 'excluded', 'guest', 'notMfaCapable'],
};
const statesMax = 4_000_000;

/** Measures states per second, the compile time and the total time. */
export async function benchExplore(): Promise<readonly BenchRow[]> {
  const product = unchecked(tenantProduct(middle));
  const [reference, referenceMs] = timed(() => exploreProductByReference(product, 100_000));
  const partsMs: number[] = [];
  const compileMs: number[] = [];
  const searchMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    partsMs.push(timed(() => product.parts.map((part) => exploreByReference(part.machine, part)))[1]);
    const [compiled, ms] = timed(() => new CompiledProduct(product));
    compileMs.push(ms);
    const [found, foundMs] = timed(() => compiled.search(statesMax));
    searchMs.push(foundMs);
    if (found.states !== reference.states || found.edges !== reference.edges) throw new Error('The counts differ.');
  }
  const referenceRate = (reference.states / referenceMs) * 1000;
  const rate = (reference.states / median(searchMs)) * 1000;
  const largest = largestRow(unchecked(tenantProduct(large)));
  const wholeMs = (compileMs[0] ?? 0) + (searchMs[0] ?? 0);
  const states = reference.states.toLocaleString('en-GB');
  return [
    atLeast(
      300,
      `packed search against getAdjacencyMap, ${states} states, same counts`,
      rate,
      referenceRate,
      'states/s',
    ),
    largest,
    statedAgainst('the same against getAdjacencyMap', largest.ours, referenceRate, 'states/s'),
    atMost(1, 'compiling against getAdjacencyMap of the parts', median(compileMs), median(partsMs), 'ms'),
    ...tourRows(),
    atLeast(
      3,
      'whole, first round, against getAdjacencyMap of the product',
      1000 / wholeMs,
      1000 / referenceMs,
      'runs/s',
    ),
  ];
}

function largestRow(product: Product): BenchRow {
  const compiled = new CompiledProduct(product);
  const rates: number[] = [];
  let states = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [found, ms] = timed(() => compiled.search(statesMax));
    states = found.states;
    rates.push((states / ms) * 1000);
  }
  const ours = median(rates);
  const what = `packed search, ${states.toLocaleString('en-GB')} states`;
  const enough = states >= 1_000_000;
  return missedUnless(enough, atRate(3_000_000, what, ours, 'states/s'));
}

/**
 * Measures tours of the lifecycle with 1, 2 and 3 snooze days under a policy that an administrator changes, from the
 * machines to the tests. The reference is full transition coverage by the shortest paths of xstate/graph. It has one
 * path for each transition to another state, including changes of the context only: a shortest path to the source
 * state and the transition itself. Paths that are a prefix of a longer one are omitted, as its test model does. A
 * reset costs one event in both. Changes of a snooze record through the control API are not part of the lifecycle,
 * so they are excluded; a separate row shows the ratio with them.
 */
function tourRows(): readonly BenchRow[] {
  const snoozeDays = [1, 2, 3];
  const plain = unchecked(lifecycleProduct({ snoozeDays, snoozeResets: false }));
  const withResets = unchecked(lifecycleProduct({ snoozeDays }));
  const [found, ms] = timed(() => createProductTour(plain));
  const pathsCost = costOfPaths(plain);
  const [pairs, pairsMs] = timed(() => createProductTour(withResets, { cover: 'pairs' }));
  const all = createProductTour(withResets);
  const allPaths = costOfPaths(withResets);
  const bounded = (name: string, ours: number, barMs: number, gap: number): BenchRow =>
    missedUnless(gap === 0, withinTime(barMs, name, ours, 'ms'));
  const counted = ({ covered, cover, cost, gap }: typeof found) =>
    `tour of ${covered.toLocaleString('en-GB')} ${cover}, cost ${cost.toLocaleString('en-GB')}, gap ${gap}`;
  return [
    bounded(counted(found), ms, 1000, found.gap),
    atLeast(5, 'paths of xstate/graph to every transition against the tour', pathsCost, found.cost, 'events'),
    atLeast(
      1,
      'transitions of the tour against commands of fast-check at random, for as many events',
      found.covered,
      takenAtRandom(createGraph(plain), found.cost),
      'transitions',
    ),
    statedAgainst(
      `the same with resets of the ledger, ${all.covered.toLocaleString('en-GB')} transitions, gap ${all.gap}`,
      allPaths,
      all.cost,
      'events',
    ),
    bounded(counted(pairs), pairsMs, 5000, pairs.gap),
  ];
}

/**
 * Computes the events and resets of the shortest paths of xstate/graph to every state, each extended by every
 * transition to another state. Paths that are a prefix of a longer one are omitted.
 */
function costOfPaths(product: Product): number {
  const graph = createGraph(product);
  const events = Array.from({ length: graph.labels }, (_, label) => ({ type: String(label) }));
  const logic = {
    getInitialSnapshot: () => ({ number: 0 }),
    transition: ({ number }: Numbered, { type }: { readonly type: string }) => ({
      number: graph.targets[number * graph.labels + Number(type)] as number,
    }),
  };
  const serializeState = ({ number }: Numbered) => String(number);
  const found = getShortestPaths(logic as never, { events, serializeState } as never) as readonly FoundPath[];
  const tests = new Map<string, number>();
  const begun = new Set<string>();
  for (const { state, steps } of found) {
    // The first step of a path is the initial state itself.
    const taken = steps.slice(1).map(({ event }) => event.type);
    for (const { type } of events) {
      if (graph.targets[state.number * graph.labels + Number(type)] === state.number) continue;
      tests.set([...taken, type].join(), taken.length + 2);
      begun.add(taken.join());
    }
  }
  return [...tests].reduce((sum, [path, cost]) => sum + (begun.has(path) ? 0 : cost), 0);
}

function createGraph(product: Product): StateGraph {
  const compiled = new CompiledProduct(product);
  return new ProductSteps(compiled, compiled.search()).graph;
}

interface Numbered {
  readonly number: number;
}

interface FoundPath {
  readonly state: Numbered;
  readonly steps: readonly { readonly event: { readonly type: string } }[];
}

/** Returns the product without its invariants, which `getAdjacencyMap` does not check. */
function unchecked(product: Product): Product {
  const parts = product.parts.map((part) => ({ ...part, invariants: [] }));
  return { ...product, parts, invariants: [] };
}

function timed<T>(work: () => T): readonly [T, number] {
  const startMs = performance.now();
  const done = work();
  return [done, performance.now() - startMs];
}
