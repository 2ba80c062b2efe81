import type { Product } from '../src/generate/exploration/product.ts';
import { exploredSteps } from '../src/generate/exploration/product-steps.ts';
import { lifecycleProduct } from '../src/generate/models/lifecycle-product.ts';
import { controlView, userView } from '../src/generate/models/lifecycle-view.ts';
import { learn } from '../src/learn/learn.ts';
import { QueryRunner } from '../src/learn/learner/query-runner.ts';
import { areIsomorphic } from '../src/learn/mealy/compare-machines.ts';
import type { MealyMachine } from '../src/learn/mealy/mealy-machine.ts';
import { ConformanceTests } from '../src/learn/oracle/conformance-tests.ts';
import { simulateMachine, toMealyMachine } from '../src/learn/systems/simulated-system.ts';
import type { BenchRow } from './measure.ts';
import { learnByTable } from './plain-l-star.ts';

const settings = { depth: 0, randomTests: 500, seed: 1, resetCost: 1 };

/** Largest allowed share of the queries of a plain L*. */
const shareMax = 1 / 3;

/**
 * Learns the quotient of the lifecycle with the specification as the reference, as users see it and as the control API
 * shows it, and compares the queries with those of a plain L* with the same cache and the same tests.
 */
export async function benchLearn(): Promise<readonly BenchRow[]> {
  const product: Product = lifecycleProduct({ snoozeDays: [1], distinguishedDays: 0 });
  const steps = exploredSteps(product);
  return [
    ...(await compare('as users see it', toMealyMachine(steps, userView))),
    ...(await compare('as the control API shows it', toMealyMachine(steps, controlView))),
  ];
}

async function compare(what: string, machine: MealyMachine): Promise<readonly BenchRow[]> {
  const system = simulateMachine('lifecycle', machine);
  const began = performance.now();
  const guided = await learn(system, { ...settings, reference: machine });
  const ms = performance.now() - began;
  const runner = new QueryRunner(system);
  const table = await learnByTable(runner, new ConformanceTests(settings));
  const theirs = runner.count('learning').queries;
  const isExact = guided.end === 'tests-passed' && areIsomorphic(guided.machine, machine);
  const tableIs = areIsomorphic(table, machine) ? 'exact' : `wrong with ${table.states} states`;
  const ours = guided.learning.queries;
  return [
    {
      what: `membership queries for the lifecycle ${what}, ${guided.machine.states} states, ${isExact ? 'isomorphic' : 'WRONG'}; plain L* is ${tableIs}`,
      ours,
      theirs,
      ratio: theirs / ours,
      unit: 'queries',
      bar: '≤ 1/3 of plain L*, isomorphic',
      reached: isExact && ours <= theirs * shareMax,
    },
    {
      what: `queries with those of the tests, ${what}`,
      ours: ours + guided.testing.queries,
      theirs: runner.queries,
      ratio: runner.queries / (ours + guided.testing.queries),
      unit: 'queries',
      bar: 'stated',
      reached: true,
    },
    { what: `time to learn, ${what}`, ours: ms, theirs: null, ratio: null, unit: 'ms', bar: 'stated', reached: true },
  ];
}
