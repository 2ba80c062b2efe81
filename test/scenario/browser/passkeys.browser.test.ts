import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { virtualAuthenticatorAaguid } from '../../../src/authenticators/virtual-authenticator.ts';
import { representativeAaguids } from '../../../src/contract/aaguids.ts';
import { BrowserPages } from '../../../src/scenario/drivers/browser/browser-pages.ts';
import { BrowserTab } from '../../../src/scenario/drivers/browser/browser-tab.ts';
import { deviceProfile, namedDevices } from '../../../src/scenario/drivers/browser/device-profiles.ts';
import { type FoundBrowser, findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { createScenario } from './signed-in-server.ts';

let server: TestServer;
let found: FoundBrowser;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer();
  found = await findBrowser(process.env);
  browser = await sharedBrowser();
}, 60_000);

afterAll(async () => {
  await server.close();
});

/** Returns the credential that the server stored after a registration on a device. */
async function registered(type: string, os: string, named: string): Promise<unknown> {
  const steps = `  - signIn: { user: ada, os: ${os}, browser: ${named} }\n  - register: { passkey: { type: ${type} } }\n    expect: { page: signed-in }\n`;
  const scenario = createScenario('passkey-enabled', steps);
  const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser: found, evidence: null });
  const session = await driver.open(scenario);
  const sandbox = server.sandboxes.list().at(-1);
  for (const step of scenario.steps) await session.perform(step);
  const passkeys = sandbox?.directory.passkeys('ada');
  await session.close();
  await driver.close();
  return passkeys;
}

describe('passkeys in a real browser', { timeout: 240_000 }, () => {
  it.each([
    ['windows-bound', 'windows', 'chrome'],
    ['password-manager', 'windows', 'chrome'],
    ['keychain', 'macos', 'safari'],
    ['handset-vendor', 'android', 'chrome'],
    ['security-key', 'windows', 'chrome'],
  ])(
    'A51: %s on %s is created by the browser’s own authenticator, and its passkey type is derived',
    async (type, os, named) => {
      expect(await registered(type, os, named)).toMatchObject([
        { passkey: { type }, credential: { aaguid: virtualAuthenticatorAaguid, kindConfidence: 'derived' } },
      ]);
    },
  );

  it.each([
    ['windows-hello-for-business', 'windows', 'chrome'],
    ['authenticator-app', 'ios', 'safari'],
  ] as const)(
    'A51: %s on %s has the AAGUID of its passkey type, which the browser’s own authenticator cannot have',
    async (type, os, named) => {
      expect(await registered(type, os, named)).toMatchObject([
        { passkey: { type }, credential: { aaguid: representativeAaguids[type], kindConfidence: 'known' } },
      ]);
    },
  );

  it('driver-failed: a request for a page without a response times out', async () => {
    const { plan } = createScenario('passkey-enabled', '  - signIn: { user: ada }\n    expect: { page: prompt }\n');
    const sandbox = await server.sandboxes.create('unanswered', plan);
    const profile = deviceProfile(namedDevices['windows-chrome'], browser.version());
    const tab = new BrowserTab(browser, { profile, os: 'windows', deviceId: 'device-1' }, null);
    await tab.flow.signIn(`${server.baseUrl}/s/${sandbox.id}/sign-in`, {
      name: 'ada@example.test',
      password: 'correct horse',
      code: '123456',
    });
    expect(await tab.flow.reachSetup()).toBe('fido2');
    const page = browser.contexts().at(-1)?.pages()[0];
    if (page === undefined) throw new Error('The tab has no page.');
    await page.evaluate('navigator.credentials.create = () => new Promise(() => {})');
    await expect(new BrowserPages(page).press('make-passkey')).rejects.toMatchObject({ code: 'driver-failed' });
    await tab.end();
  }, 30_000);
});
