import { expect, it } from 'vitest';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { impossibleSteps, runSuite } from '../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';

const cwd = process.cwd();
const loaded = loadScenarios(scenarioFiles(['scenarios'], cwd), new FixtureLibrary(['fixtures']), cwd);

it('every shipped scenario loads, and none has an impossible step', async () => {
  expect(loaded.problems).toEqual([]);
  expect(loaded.scenarios.length).toBeGreaterThanOrEqual(900);
  expect(await impossibleSteps(loaded.scenarios)).toEqual([]);
});

it('every shipped scenario passes on the model, and every rule outcome occurs', async () => {
  const report = await runSuite(loaded.scenarios, [new ModelDriver()], {
    workers: 1,
    bail: false,
    repeat: 1,
    coverage: true,
  });
  expect(report.results.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual([]);
  expect(report.coverage.outcomesSeen).toBe(report.coverage.outcomesPossible);
  expect(report.coverage.rules.filter(({ met, stopped, seen }) => met + stopped + seen === 0)).toEqual([]);
});
