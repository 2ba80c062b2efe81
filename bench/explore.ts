import { explore, exploreByReference } from '../src/generate/explore.ts';
import { CompiledProduct, exploreProductByReference } from '../src/generate/explore-product.ts';
import { nudgeModel, policiesOf } from '../src/generate/models/nudge-model.ts';
import { type TenantAlphabet, tenantProduct } from '../src/generate/models/tenant-product.ts';
import type { Product } from '../src/generate/product.ts';
import { tour } from '../src/generate/tour.ts';
import { atLeast, atMost, type BenchRow, median } from './measure.ts';

/**
 * The packed search against xstate's `getAdjacencyMap`, on products of campaign, user and lifecycle, in one process and in
 * turn. Both are given the same machines, actions and quotient; the logic that `getAdjacencyMap` walks steps the same machines
 * side by side. Invariants are left out of both. The large product is beyond `getAdjacencyMap`, so its rate is held against
 * the rate of the middle one.
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

/** States a second, and the time of compiling and of the whole. */
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
    { ...largest, theirs: referenceRate, ratio: largest.ours / referenceRate },
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
  return {
    what,
    ours,
    theirs: null,
    unit: 'states/s',
    ratio: null,
    bar: '≥ 3,000,000',
    reached: enough && ours >= 3e6,
  };
}

/**
 * The transition tour of the lifecycle with 1, 2 and 3 days and changes of the policy, against a shortest path to every
 * transition, which is how tests from the paths of xstate/graph cover edges. A reset costs one event in both.
 */
function tourRows(): readonly BenchRow[] {
  const policies = policiesOf([1, 2, 3]);
  const model = nudgeModel({ policies, prompts: ['p1'], methods: ['vendorAuthenticator'] });
  const options = { ...model, invariants: [] };
  const [found, ms] = timed(() => tour(model.machine, options));
  const explored = explore(model.machine, options);
  const lengths = explored.states.map((_, state) => explored.pathTo(state).length + 2);
  const pathsCost = explored.targets.reduce((sum, to, at) => {
    const from = Math.floor(at / explored.events.length);
    return from === to ? sum : sum + (lengths[from] ?? 0);
  }, 0);
  const what = `tour of ${found.covered.toLocaleString('en-GB')} transitions, cost ${found.cost}, gap ${found.gap}`;
  return [
    {
      what,
      ours: ms,
      theirs: null,
      unit: 'ms',
      ratio: null,
      bar: '≤ 1,000 ms, gap 0',
      reached: ms <= 1000 && found.gap === 0,
    },
    atLeast(5, 'a shortest path to every transition against the tour', pathsCost, found.cost, 'events'),
  ];
}

/** The product without its invariants, which `getAdjacencyMap` does not check. */
function unchecked(product: Product): Product {
  const parts = product.parts.map((part) => ({ ...part, invariants: [] }));
  return { ...product, parts, invariants: [] };
}

function timed<T>(work: () => T): readonly [T, number] {
  const startMs = performance.now();
  const done = work();
  return [done, performance.now() - startMs];
}
