import { expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { runSuite, unsupportedSteps } from '../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { startServer } from '../../src/server/start.ts';

const cwd = process.cwd();
const loaded = loadScenarios(scenarioFiles(['scenarios'], cwd), new FixtureLibrary(['fixtures']), cwd);

it('every shipped scenario loads, and none has an impossible step', async () => {
  expect(loaded.problems).toEqual([]);
  expect(loaded.scenarios.length).toBeGreaterThanOrEqual(900);
  expect(await unsupportedSteps(loaded.scenarios)).toEqual([]);
});

it('every shipped scenario passes on the model, and every rule outcome occurs', async () => {
  const report = await runSuite(loaded.scenarios, [new ModelDriver()], {
    workers: 1,
    bail: false,
    repeat: 1,
    coverage: true,
  });
  // The model has no passkey ceremonies, so the http driver runs the scenarios that check one.
  const others = report.results.filter(({ status }) => status !== 'passed');
  const needCeremonies = loaded.scenarios.filter(({ tags }) => tags.includes('ceremony'));
  expect(others.map(({ id }) => id)).toEqual(needCeremonies.map(({ id }) => id));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['skipped']));
  expect(report.coverage.outcomesCovered).toBe(report.coverage.outcomesTotal);
  expect(report.coverage.rules.filter(({ met, stopped, observed: seen }) => met + stopped + seen === 0)).toEqual([]);
});

it('every shipped scenario with a passkey ceremony passes over HTTP', async () => {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const server = await startServer({ sandboxes, port: 0 });
  const driver = new HttpDriver({ controlUrl: server.controlUrl });
  onTestFinished(async () => {
    await driver.close();
    await server.close();
  });
  const scenarios = loaded.scenarios.filter(({ tags }) => tags.includes('ceremony'));
  expect(scenarios.length).toBeGreaterThan(3);
  const report = await runSuite(scenarios, [driver], { workers: 1, bail: false, repeat: 1, coverage: false });
  expect(report.results.map(({ id, status }) => [id, status])).toEqual(scenarios.map(({ id }) => [id, 'passed']));
}, 60_000);
