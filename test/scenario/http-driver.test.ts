import { describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../src/contract/result.schema.ts';
import { listRowsMax } from '../../src/core/limits.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios, loadText } from '../../src/scenario/load.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { startServer } from '../../src/server/start.ts';
import { setTestServer } from '../test-server.ts';
import { byTier } from '../tier.ts';
import { startBendingProxy } from './bending-proxy.ts';

const cwd = process.cwd();
const fixtures = new FixtureLibrary(['fixtures']);
const options = { workers: 4, bail: false, repeat: 1, coverage: true };
const server = setTestServer({ default: {} });

function scenario(steps: string): Scenario {
  const text = `name: A claim\ngiven: { tenant: app-enabled, users: { ada: sms-user, bea: out-of-snoozes } }\nsteps:\n${steps}`;
  const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
  expect(problems).toEqual([]);
  return scenarios[0] as Scenario;
}

async function runBent(steps: string, bend: (html: string) => string): Promise<ScenarioResult | undefined> {
  const proxy = await startBendingProxy(bend);
  const behind = await startServer({ sandboxes: server.sandboxes, port: 0, publicHosts: [proxy.host] });
  proxy.forwardTo(behind.port);
  const driver = new HttpDriver({ controlUrl: `http://${proxy.host}/_control/v1` });
  try {
    return (await runSuite([scenario(steps)], [driver], options)).results[0];
  } finally {
    await driver.close();
    await behind.close();
    await proxy.close();
  }
}

describe('HTTP driver', () => {
  it.each([
    ['{ content-type: text/plain }', 415],
    ['{ Content-Type: "application/json; charset=latin1" }', 415],
    ['{ content-encoding: gzip }', 415],
    ['{ Content-Type: "application/json; charset=UTF-8" }', 200],
  ])('R14: a PATCH with the headers %s has the status %i on the model and on a server', async (headers, status) => {
    const only = scenario(`  - patchPolicy: { headers: ${headers}, body: {} }\n    expect: { status: ${status} }\n`);
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite([only], [new ModelDriver(), driver], options);
    await driver.close();
    expect(results.map(({ steps }) => steps[0]?.mismatches)).toEqual([[], []]);
  });

  it('A6: a clock that is set to a date shows its midnight in UTC, on the model and on a server', async () => {
    const only = scenario(
      '  - setClock: 2026-02-01\n  - signIn: { user: ada }\n  - skip: {}\n    expect: { nextPromptAt: 2026-02-02 }\n',
    );
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { summary } = await runSuite([only], [new ModelDriver(), driver], options);
    await driver.close();
    expect(summary).toMatchObject({ passed: 2 });
  });

  it('produces the same pages and verdicts as the model in every area', async () => {
    const areas = ['scenarios/lifecycle', 'scenarios/snooze', 'scenarios/policy-api', 'scenarios/suppression'];
    const files = scenarioFiles(areas.slice(0, byTier({ quick: 1, all: areas.length })), cwd);
    const { scenarios } = loadScenarios(files, fixtures, cwd);
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    await driver.close();
    expect(results.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual([]);
    expect(server.sandboxes.list().map(({ id }) => id)).toEqual(['default']);
    const steps = (name: string): unknown =>
      results.filter(({ driver: of }) => of === name).map((result) => result.steps);
    expect(steps('http')).toEqual(steps('model'));
  }, 120_000);

  it('R6: coverage from the transitions of a server, or from a long journal, is that of the model', async () => {
    const prompt =
      '  - signIn: { user: ada }\n    expect: { page: prompt }\n  - skip: {}\n    expect: { snoozes: 1 }\n';
    const account = 'auth: { email: unlimited@example.test }';
    const calls = `  - lookup: { type: email, query: ada@example.test, tool: tazzik, ${account}, times: ${listRowsMax} }\n`;
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    for (const steps of [prompt, `${calls}${prompt}`]) {
      const runs = [new ModelDriver(), driver].map((one) => runSuite([scenario(steps)], [one], options));
      const [model, http] = await Promise.all(runs);
      expect(http?.results.map(({ message, steps: [step] }) => [message, step?.mismatches])).toEqual([[undefined, []]]);
      expect(http?.coverage).toEqual(model?.coverage);
      expect(http?.coverage.rules.find(({ id }) => id === 'R6')).toMatchObject({ observed: 2 });
    }
    await driver.close();
  });

  it('leaves no sandbox behind', () => {
    expect(server.sandboxes.list().map(({ id }) => id)).toEqual(['default']);
  });

  it('fails if the page has lost its skip button, while explain is still correct', async () => {
    const result = await runBent('  - signIn: { user: ada }\n    expect: { reason: null }\n', (html) =>
      html.replaceAll('data-control="skip"', ''),
    );
    expect(result?.status).toBe('failed');
    expect(result?.steps[0]?.mismatches).toMatchObject([
      { key: 'agreement', expected: 'skippable', actual: 'required' },
    ]);
  });

  it('fails if a required prompt offers a skip button, while explain is still correct', async () => {
    const result = await runBent('  - signIn: { user: bea }\n    expect: { reason: null }\n', (html) =>
      html.replace('</form>', '<button name="action" value="skip" data-control="skip">Skip for now</button></form>'),
    );
    expect(result?.steps[0]?.mismatches).toMatchObject([
      { key: 'agreement', expected: 'required', actual: 'skippable' },
    ]);
  });

  it('fails if the prompt is missing although the verdict requires it', async () => {
    const result = await runBent('  - signIn: { user: ada }\n    expect: { reason: null }\n', (html) =>
      html.replace('data-page="prompt"', 'data-page="not-nudged"'),
    );
    expect(result?.steps[0]?.mismatches).toMatchObject([{ key: 'agreement', expected: 'skippable', actual: 'none' }]);
  });

  it('driver-failed: an unrecognized page fails the step with the missing element', async () => {
    const result = await runBent('  - signIn: { user: ada }\n    expect: { page: prompt }\n', (html) =>
      html.replaceAll('main', 'div'),
    );
    expect(result?.steps[0]?.mismatches[0]).toMatchObject({ key: 'step' });
    expect(result?.steps[0]?.mismatches[0]?.actual).toMatch(/^driver-failed/);
  });

  it('server-unreachable: without a server, every scenario fails and reports the URL that was tried', async () => {
    const driver = new HttpDriver({ controlUrl: 'http://localhost:9/_control/v1' });
    const one = scenario('  - signIn: { user: ada }\n    expect: { page: prompt }\n');
    const { results } = await runSuite([one], [driver], options);
    await driver.close();
    expect(results[0]?.message).toMatch(/server-unreachable: http:\/\/localhost:9/);
  });
});
