import { expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { startServer } from '../../src/server/start.ts';

it('every shipped scenario passes over HTTP on pages in Arabic', async () => {
  const cwd = process.cwd();
  const { scenarios } = loadScenarios(scenarioFiles(['scenarios'], cwd), new FixtureLibrary(['fixtures']), cwd);
  const server = await startServer({ sandboxes: await Sandboxes.open(new MemoryStore()), port: 0 });
  const driver = new HttpDriver({ controlUrl: server.controlUrl, language: 'ar' });
  onTestFinished(async () => {
    await driver.close();
    await server.close();
  });
  const report = await runSuite(scenarios, [driver], { workers: 4, bail: false, repeat: 1, coverage: false });
  expect(report.results.length).toBeGreaterThan(900);
  expect(report.results.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual([]);
}, 180_000);
