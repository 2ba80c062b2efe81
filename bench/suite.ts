import { ModelDriver } from '../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../src/scenario/fixture-library.ts';
import { loadScenarios } from '../src/scenario/load.ts';
import { runSuite } from '../src/scenario/run-suite.ts';
import { scenarioFiles } from '../src/scenario/scenario-files.ts';
import { type BenchRow, mainFile, median, root, timeCommand } from './measure.ts';

/**
 * Measures the shipped suite on the model driver: the whole command from the start of the process, and scenarios
 * per second once the process is warm. Coverage is measured in both.
 */

const commandRounds = 5;
const warmRounds = 10;

/** Measures the two rows of the model driver. */
export async function benchSuite(): Promise<readonly BenchRow[]> {
  return [await wholeCommand(), await warmRate()];
}

async function wholeCommand(): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < commandRounds; round += 1)
    times.push(await timeCommand([mainFile, 'run', '--driver', 'model']));
  const ours = median(times);
  return {
    what: 'shipped suite on the model driver, whole command',
    ours,
    theirs: null,
    unit: 'ms',
    ratio: null,
    bar: '≤ 1,500 ms',
    reached: ours <= 1_500,
  };
}

async function warmRate(): Promise<BenchRow> {
  const { scenarios } = loadScenarios(
    scenarioFiles(['scenarios'], root),
    new FixtureLibrary([`${root}/fixtures`]),
    root,
  );
  const rates: number[] = [];
  for (let round = -2; round < warmRounds; round += 1) {
    const startMs = performance.now();
    const { summary } = await runSuite(scenarios, [new ModelDriver()], {
      workers: 1,
      bail: false,
      repeat: 1,
      coverage: true,
    });
    if (summary.passed !== scenarios.length) throw new Error('A shipped scenario failed.');
    if (round >= 0) rates.push(scenarios.length / ((performance.now() - startMs) / 1000));
  }
  const ours = median(rates);
  return {
    what: 'scenarios a second on the model driver, warm',
    ours,
    theirs: null,
    unit: 'scenarios/s',
    ratio: null,
    bar: '≥ 3,000 a second',
    reached: ours >= 3_000,
  };
}
