import { ModelDriver } from '../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../src/scenario/fixture-library.ts';
import { loadScenarios } from '../src/scenario/load.ts';
import { runSuite } from '../src/scenario/run-suite.ts';
import { scenarioFiles } from '../src/scenario/scenario-files.ts';
import { atRate, type BenchRow, mainFile, measureCommand, median, root, stated, withinTime } from './measure.ts';

/**
 * Measures the shipped suite on the model driver: the whole command from the start of the process, and scenarios
 * per second once the process is warm. Coverage is measured in both.
 */

const commandRounds = 5;
const warmRounds = 10;

/** Measures the rows of the model driver. */
export async function benchSuite(): Promise<readonly BenchRow[]> {
  return [...(await wholeCommand()), await warmRate()];
}

async function wholeCommand(): Promise<readonly BenchRow[]> {
  const wall: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < commandRounds; round += 1) {
    const { wallMs, processorMs } = await measureCommand([mainFile, 'run', '--driver', 'model']);
    wall.push(wallMs);
    processor.push(processorMs);
  }
  return [
    withinTime(1_500, 'shipped suite on the model driver, whole command', median(wall), 'ms'),
    stated('the same in processor time', median(processor), 'ms'),
  ];
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
    // Passkey ceremonies need pages, so the model skips their scenarios.
    if (summary.failed > 0) throw new Error('A shipped scenario failed.');
    if (round >= 0) rates.push(summary.passed / ((performance.now() - startMs) / 1000));
  }
  return atRate(3_000, 'scenarios a second on the model driver, warm', median(rates), 'scenarios/s');
}
