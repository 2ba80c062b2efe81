import { describe, expect, it } from 'vitest';
import { methodKinds } from '../../../machines/own/own-ruleset.ts';
import { HttpDriver } from '../../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { setTestServer } from '../../test-server.ts';
import { loadBlockedScenario, loadExampleScenarios, loadKindScenarios } from './kind-suite.ts';

const server = setTestServer({ default: {} });
const options = { workers: 4, bail: false, repeat: 1, coverage: true };

describe('scenarios of own campaigns on pages', () => {
  it('OC45 each kind of method is set up, failed and turned down on its pages as on the model', async () => {
    const scenarios = loadKindScenarios();
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results, summary } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    await driver.close();
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(summary).toMatchObject({ passed: 2 * methodKinds.length, skipped: 0 });
  });

  it('OC46 every scenario of the shipped examples passes over HTTP, with the coverage of the model', async () => {
    const scenarios = loadExampleScenarios();
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const model = await runSuite(scenarios, [new ModelDriver()], options);
    const pages = await runSuite(scenarios, [driver], options);
    await driver.close();
    expect(pages.results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(pages.summary.passed).toBe(scenarios.length);
    expect(pages.coverage.rulesets).toEqual(model.coverage.rulesets);
  });

  it('OC23 a sign-in that a changed built-in ruleset blocks ends on a page without a way on', async () => {
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite(loadBlockedScenario(), [new ModelDriver(), driver], options);
    await driver.close();
    expect(results.map(({ status, steps }) => [status, steps[0]?.page])).toEqual([
      ['passed', 'blocked'],
      ['passed', 'blocked'],
    ]);
  });

  it('OC46 a scenario whose expectation is wrong fails on pages, with the trace of the gates', async () => {
    const [scenario] = loadExampleScenarios();
    const own = scenario?.own;
    if (scenario === undefined || own === undefined) throw new Error('The examples have no scenario.');
    const steps = own.steps.map((step) => ({ ...step, expect: step.kind === 'signIn' ? { page: 'closed' } : null }));
    const wrong = { ...scenario, own: { ...own, steps: steps as typeof own.steps } };
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite([wrong], [driver], options);
    await driver.close();
    const mismatch = results[0]?.steps.flatMap(({ mismatches }) => mismatches)[0];
    expect(mismatch).toMatchObject({ key: 'page', expected: 'closed', message: expect.stringContaining('X.trigger') });
  });
});
