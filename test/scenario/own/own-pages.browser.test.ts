import { expect, it } from 'vitest';
import { methodKinds } from '../../../machines/own/own-ruleset.ts';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { setTestServer } from '../../test-server.ts';
import { loadKindScenarios } from './kind-suite.ts';

const server = setTestServer({ default: {} });

it('OC45 each kind of method is set up, failed and turned down in a browser', async () => {
  const browser = await findBrowser(process.env);
  const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser, evidence: null });
  const options = { workers: 2, bail: false, repeat: 1, coverage: false };
  const { results, summary } = await runSuite(loadKindScenarios(), [driver], options);
  await driver.close();
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(summary).toMatchObject({ passed: methodKinds.length, skipped: 0 });
}, 240_000);
