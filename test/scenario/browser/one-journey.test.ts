import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { createScenario, startTestServer, type TestServer } from './signed-in-server.ts';

let server: TestServer;
let driver: BrowserDriver;

beforeAll(async () => {
  server = await startTestServer();
  driver = new BrowserDriver({
    controlUrl: server.controlUrl,
    browser: await findBrowser(process.env),
    evidence: null,
  });
});

afterAll(async () => {
  await driver.close();
  await server.close();
});

test('R5, R6: a user signs in, skips, is left alone for a day and is prompted again, in a real browser', async () => {
  const steps = `  - signIn: { user: ada }
    expect: { page: prompt, outcome: skippable }
  - skip: {}
    expect: { page: signed-in, snoozes: 1 }
  - advance: { hours: 23 }
  - signIn: { user: ada }
    expect: { page: not-nudged, reason: snoozed }
  - advance: { hours: 1 }
  - signIn: { user: ada }
    expect: { page: prompt, outcome: skippable }
`;
  const options = { workers: 1, bail: false, repeat: 1, coverage: false };
  const { results } = await runSuite([createScenario('app-enabled', steps)], [driver], options);
  expect(results).toHaveLength(1);
  expect(results[0]?.steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  expect(results[0]?.status).toBe('passed');
});
