import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../../src/contract/result.schema.ts';
import { type FoundBrowser, findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { startServer } from '../../../src/server/start.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { startBendingProxy } from '../bending-proxy.ts';
import { createScenario } from './signed-in-server.ts';

const options = { workers: 2, bail: false, repeat: 1, coverage: false };
const prompted = '  - signIn: { user: ada }\n    expect: { reason: null }\n';
let server: TestServer;
let browser: FoundBrowser;

beforeAll(async () => {
  browser = await findBrowser(process.env);
  server = await startTestServer();
}, 60_000);

afterAll(() => server.close());

async function runBent(steps: string, bend: (html: string) => string): Promise<ScenarioResult | undefined> {
  const proxy = await startBendingProxy(bend);
  const behind = await startServer({ sandboxes: server.sandboxes, port: 0, publicHosts: [proxy.host] });
  proxy.forwardTo(behind.port);
  const driver = new BrowserDriver({ controlUrl: `http://${proxy.host}/_control/v1`, browser, evidence: null });
  try {
    return (await runSuite([createScenario('app-enabled', steps)], [driver], options)).results[0];
  } finally {
    await driver.close();
    await behind.close();
    await proxy.close();
  }
}

describe('browser driver', { timeout: 240_000 }, () => {
  it('fails if the page has lost its skip button, while explain is still correct', async () => {
    const result = await runBent(prompted, (html) => html.replaceAll('data-control="skip"', ''));
    expect(result?.steps[0]?.mismatches).toMatchObject([
      { key: 'agreement', expected: 'skippable', actual: 'required' },
    ]);
  });

  it('fails if the skip button exists but is not visible', async () => {
    const result = await runBent(prompted, (html) => html.replace('value="skip"', 'value="skip" hidden'));
    expect(result?.steps[0]?.mismatches).toMatchObject([
      { key: 'agreement', expected: 'skippable', actual: 'required' },
    ]);
  });

  it('driver-failed: a field without a label fails the step with the name of the field', async () => {
    const result = await runBent(prompted, (html) => html.replaceAll('>Username<', '><'));
    expect(result?.steps[0]?.mismatches[0]?.actual).toMatch(/^driver-failed: .*"username" has no accessible name/);
  });

  it('driver-failed: a field without its stable name fails the step within the time limit', async () => {
    const result = await runBent(prompted, (html) => html.replaceAll('data-control="username"', ''));
    expect(result?.steps[0]?.mismatches[0]).toMatchObject({ key: 'step' });
  }, 30_000);

  it('driver-failed: an unrecognized page fails the step with the missing element', async () => {
    const result = await runBent(prompted, (html) => html.replaceAll('main', 'div'));
    expect(result?.steps[0]?.mismatches[0]?.actual).toMatch(/^driver-failed/);
  });

  it('driver-failed: closeBrowser fails if the page does not send an unload beacon', async () => {
    const steps = '  - signIn: { user: ada }\n  - closeBrowser: {}\n    expect: { page: closed }\n';
    const result = await runBent(steps, (html) => html.replace('type="module"', 'type="text/plain"'));
    expect(result?.steps[1]?.mismatches[0]?.actual).toMatch(/^driver-failed: No unload beacon/);
  });

  it('restarts the browser after a crash and leaves no sandbox behind', async () => {
    const scenario = createScenario('app-enabled', prompted);
    const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser, evidence: null });
    const first = await runSuite([scenario], [driver], options);
    await driver.close();
    const second = await runSuite([scenario], [driver], options);
    await driver.close();
    expect([first.summary.passed, second.summary.passed]).toEqual([1, 1]);
    expect(server.sandboxes.list()).toEqual([]);
  });

  it('server-unreachable: the driver is not created without a server', async () => {
    const reached = BrowserDriver.reach('http://localhost:9', { browser, evidence: null });
    await expect(reached).rejects.toMatchObject({ code: 'server-unreachable' });
  });
});
