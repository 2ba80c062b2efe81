import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { nonEmpty } from '../../non-empty.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { byTier } from '../../tier.ts';
import { createScenario } from './signed-in-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test.each(nonEmpty(['en', 'ar'].slice(0, byTier({ quick: 1, all: 2 }))))(
  'R5, R6: a user signs in, skips, and is prompted again a day later, in a real browser in %s',
  async (language) => {
    const browser = await findBrowser(process.env);
    const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser, evidence: null, language });
    onTestFinished(() => driver.close());
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
  },
);
