import { existsSync } from 'node:fs';
import type { AccountInfo, AuthenticationResult, PublicClientApplication } from '@azure/msal-browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localCertificate } from '../../../../src/server/https-certificate.ts';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { temporaryFolder } from '../../../journal/temporary-folder.ts';
import { sharedBrowser, stepTimeoutMs } from '../../../shared-browser.ts';
import { press, signIn } from '../../browser-acts.ts';
import { serveApplication } from '../browser-application.ts';
import { readGuideCode } from '../guide-code.ts';
import { secureTenant } from '../secure-tenant.ts';
import { tenantDomain } from '../tenant-server.ts';

installOnDemand('test/server/oidc/foreign-clients');

const guide = 'docs/how-to/msal.md';
const scopes = ['User.Read'];

/** Global of the page of the application. */
declare const app: PublicClientApplication;

const packages = '/test/server/oidc/foreign-clients/node_modules/';
const own = `${packages}@azure/msal-browser/`;
const nested = `${own}node_modules/@azure/msal-common/`;
const shared = existsSync(`.${nested}`) ? nested : `${packages}@azure/msal-common/`;

const imports = {
  '@azure/msal-browser': `${own}dist/index.mjs`,
  '@azure/msal-browser/redirect-bridge': `${own}dist/redirect_bridge/index.mjs`,
  '@azure/msal-common/browser': `${shared}dist-browser/index-browser.mjs`,
};

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => context?.close());

/** Starts a server and the application of the guide, and opens it in a new browser. */
async function openApplication(id: string) {
  const certificate = await localCertificate(temporaryFolder());
  const application = await serveApplication(certificate, imports);
  const { origin } = application;
  const client = {
    id: 'browser-app',
    kind: 'public',
    spa: true,
    redirectUris: [`${origin}/redirect.html`],
    postLogoutRedirectUris: [`${origin}/`, `${origin}/redirect.html`],
  };
  const settings = { directory: { verifiedDomains: [tenantDomain] }, dialect: 'entra' };
  const server = await secureTenant({ id, settings, clients: [client] }, certificate);
  const values = { ...server.values, 'https://localhost:5173': origin };
  const code = readGuideCode(guide, "clientId: 'browser-app'", values);
  application.setPage('index', `${code}\nawait app.handleRedirectPromise();\nglobalThis.app = app;`);
  application.setPage('redirect', readGuideCode(guide, 'broadcastResponseToMainFrame', values));
  context = await browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${origin}/`);
  await isReady(page);
  return { ...server, origin, page, complaints };
}

async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(() => 'app' in globalThis);
}

/** Waits until the application is loaded again with an account. */
async function waitForAccount(page: Page): Promise<AccountInfo> {
  await page.waitForFunction(() => 'app' in globalThis && app.getAllAccounts().length === 1);
  return page.evaluate(() => app.getAllAccounts()[0] as AccountInfo);
}

/** Signs in without a page. Returns the result, or the code of the error. */
function signInSilently(page: Page): Promise<AuthenticationResult | string> {
  return page.evaluate((request) => app.ssoSilent(request).catch((error: { errorCode: string }) => error.errorCode), {
    scopes,
    loginHint: 'ada@example.test',
  });
}

describe.each(['default', 'demo'])('msal-browser in tenant mode, sandbox %s', (id) => {
  test('signs in by redirect, gets tokens silently, signs in silently in another tab, and signs out', {
    timeout: 90_000,
  }, async () => {
    const { page, origin, complaints } = await openApplication(id);
    expect(await signInSilently(page)).toBe('login_required');
    await page.evaluate((request) => void app.loginRedirect(request), { scopes });
    await signIn(page);
    const account = await waitForAccount(page);
    expect(page.url()).toBe(`${origin}/`);
    expect(account).toMatchObject({ username: 'ada@example.test', name: 'Ada' });
    const refreshed = await page.evaluate(
      ([request, one]) => app.acquireTokenSilent({ ...request, account: one, forceRefresh: true }),
      [{ scopes }, account] as const,
    );
    expect(refreshed).toMatchObject({ fromCache: false, tenantId: account.tenantId });
    const tab = await context.newPage();
    await tab.goto(`${origin}/`);
    await isReady(tab);
    expect(await signInSilently(tab)).toMatchObject({ account: { homeAccountId: account.homeAccountId } });
    const loaded = page.waitForEvent('load');
    await page.evaluate((one) => void app.logoutRedirect({ account: one, idTokenHint: one.idToken ?? '' }), account);
    await loaded;
    // The user confirms the sign-out unless the ID token names the user of the session.
    if ((await page.locator('main[data-page="sign-out"]').count()) > 0) await press(page, 'Sign out');
    await page.waitForURL(`${origin}/*`);
    await isReady(page);
    expect(await page.evaluate(() => app.getAllAccounts())).toEqual([]);
    expect(await signInSilently(page)).toBe('login_required');
    expect(complaints).toEqual([]);
  });

  test('signs in and out in a window of its own', { timeout: 240_000 }, async () => {
    const { page, origin, complaints } = await openApplication(id);
    const opening = page.waitForEvent('popup');
    const finished = page.evaluate((request) => app.loginPopup(request), { scopes });
    await signIn(await opening);
    const { account } = await finished;
    expect(account).toMatchObject({ username: 'ada@example.test' });
    const leaving = page.waitForEvent('popup');
    const left = page.evaluate(
      ([one, uri]) => app.logoutPopup({ account: one, idTokenHint: one.idToken ?? '', postLogoutRedirectUri: uri }),
      [account as AccountInfo, `${origin}/redirect.html`] as const,
    );
    const opened = await leaving;
    const button = opened.getByRole('button', { name: 'Sign out', exact: true });
    await Promise.race([button.waitFor(), opened.waitForEvent('close')]);
    if (!opened.isClosed()) await button.click();
    await left;
    expect(await page.evaluate(() => app.getAllAccounts())).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
