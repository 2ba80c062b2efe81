import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../../machines/sign-in.machine.ts';
import type { ScenarioResult } from '../../../src/contract/result.schema.ts';
import { pageNames } from '../../../src/sandbox/screen-names.ts';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { applicationPages, pagesAround } from '../../../src/server/identity/pages/page-names.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { pageVisits } from '../../server/page-visits.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { type BendingProxy, startBendingProxy } from '../bending-proxy.ts';

/**
 * Scenarios that run in a real browser for every change: the whole passkey matrix, and journeys through each screen.
 */
const chosen = [
  'scenarios/passkey/made-where-it-counts.yaml',
  'scenarios/passkey/automatic-upgrade.yaml',
  'scenarios/passkey/automatic-upgrade-not-admitted.yaml',
  'scenarios/passkey/compromised-model.yaml',
  'scenarios/passkey/usernameless.yaml',
  'scenarios/tables/r12-matrix-seed.yaml',
  'scenarios/passkey/registering-ends-the-nudge-here.yaml',
  'scenarios/passkey/native-apps.yaml',
  'scenarios/app/another-way-is-mfa-too.yaml',
  'scenarios/app/error-screen.yaml',
  'scenarios/app/registering-ends-the-nudge.yaml',
  'scenarios/app/passkey-is-mfa.yaml',
  'scenarios/app/push-is-not-nudged.yaml',
  'scenarios/application/another-account.yaml',
  'scenarios/application/consent.yaml',
  'scenarios/application/signed-out.yaml',
  'scenarios/application/phone-application.yaml',
  'scenarios/application/stay-signed-in-no.yaml',
  'scenarios/application/stay-signed-in-yes.yaml',
  'scenarios/application/two-people-in-one-browser.yaml',
  'scenarios/context/terms-of-use.yaml',
  'scenarios/context/blocked-wherever.yaml',
  'scenarios/faults/another-way-round-a-fault.yaml',
  'scenarios/lifecycle/closing-after-next.yaml',
  'scenarios/lifecycle/closing-on-the-error-screen.yaml',
  'scenarios/lifecycle/error-skip.yaml',
  'scenarios/lifecycle/late-next.yaml',
  'scenarios/lifecycle/late-skip.yaml',
  'scenarios/lifecycle/leave-mark-settles-at-the-next-sign-in.yaml',
  'scenarios/lifecycle/leave-mark-withdrawn-by-skip.yaml',
  'scenarios/lifecycle/one-prompt-skipped-twice.yaml',
  'scenarios/lifecycle/registering-in-another-tab.yaml',
  'scenarios/lifecycle/retry-after-an-error.yaml',
  'scenarios/rulesets/another-way-decides.yaml',
  'scenarios/snooze/closing-the-browser.yaml',
  'scenarios/snooze/required-user-registers.yaml',
  'scenarios/snooze/skip-on-a-required-page.yaml',
  'scenarios/snooze/three-skips-then-required.yaml',
  'scenarios/suppression/custom-controls.yaml',
  'scenarios/suppression/external-mfa.yaml',
  'scenarios/suppression/registered-this-session.yaml',
  'scenarios/suppression/sso-session.yaml',
  'scenarios/suppression/terms-of-use.yaml',
];

/** Pages that no scenario step reaches. Another test opens each of them in a real browser. */
const lookedAtElsewhere: readonly string[] = [
  // test/server/pages.browser.test.ts
  ...pageVisits.map(({ page }) => page),
  // test/server/reading.browser.test.ts
  'document',
];

const rowsMin = 30;
const cwd = process.cwd();
const options = { workers: 4, bail: false, repeat: 1, coverage: true };
const seen = new Set<string>();
let server: TestServer;
let behind: RunningServer;
let proxy: BendingProxy;

beforeAll(async () => {
  server = await startTestServer();
  proxy = await startBendingProxy((html) => {
    seen.add(/data-page="([\w-]+)"/.exec(html)?.[1] ?? 'none');
    return html;
  });
  behind = await startServer({ sandboxes: server.sandboxes, port: 0, publicUrl: `http://${proxy.host}` });
  proxy.forwardTo(behind.port);
});

afterAll(async () => {
  await behind.close();
  await proxy.close();
  await server.close();
});

describe('scenarios in a real browser', () => {
  it('produce the same results as the model, step by step, and reach every screen', async () => {
    const { scenarios, problems } = loadScenarios(scenarioFiles(chosen, cwd), new FixtureLibrary(['fixtures']), cwd);
    expect(problems).toEqual([]);
    expect(scenarios.length).toBeGreaterThanOrEqual(rowsMin);
    const controlUrl = `http://${proxy.host}/_control/v1`;
    const driver = new BrowserDriver({ controlUrl, browser: await findBrowser(process.env), evidence: null });
    const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    await driver.close();
    expect(results.filter(({ status }) => status !== 'passed').map(toSummary)).toEqual([]);
    const steps = (name: string): unknown => results.filter((result) => result.driver === name).map((one) => one.steps);
    expect(steps('browser')).toEqual(steps('model'));
    const around = pagesAround.filter((name) => !lookedAtElsewhere.includes(name));
    const wanted = new Set<string>([...screens.map((screen) => pageNames[screen]), ...applicationPages, ...around]);
    expect([...wanted].filter((name) => !seen.has(name))).toEqual([]);
    expect(server.sandboxes.list()).toEqual([]);
  }, 180_000);

  it('run passkey ceremonies and signals, and skip related origins, which the browser cannot be configured for here', async () => {
    const { scenarios } = loadScenarios(
      scenarioFiles(['scenarios/passkey'], cwd),
      new FixtureLibrary(['fixtures']),
      cwd,
    );
    const ceremonyScenarios = scenarios.filter(({ tags }) => tags.includes('ceremony'));
    const driver = new BrowserDriver({
      controlUrl: `http://${proxy.host}/_control/v1`,
      browser: await findBrowser(process.env),
      evidence: null,
    });
    const { results } = await runSuite(ceremonyScenarios, [driver], { ...options, coverage: false });
    await driver.close();
    expect(results.map(({ file, status }) => [file, status])).toEqual(
      ceremonyScenarios.map(({ file }) => [file, file.endsWith('related-origins.yaml') ? 'skipped' : 'passed']),
    );
    expect(results.find(({ status }) => status === 'skipped')?.message).toMatch(/related origins/);
  }, 120_000);
});

function toSummary({ id, message, steps }: ScenarioResult): unknown {
  return { id, message, failed: steps.filter(({ status }) => status === 'failed') };
}
