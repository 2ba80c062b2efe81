import type Keycloak from 'keycloak-js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser, stepTimeoutMs } from '../../shared-browser.ts';
import { signIn } from '../browser-acts.ts';
import { serveApplication } from './browser-application.ts';
import { readGuideCode } from './guide-code.ts';
import { oidcServer } from './oidc-server.ts';

const guide = 'docs/how-to/keycloak-js.md';
const policyPath = '/v1.0/policies/authenticationMethodsPolicy';

/** Global of the page of the application. */
declare const keycloak: Keycloak;

/** Error code of the response to an authorization request. */
declare const refusal: string;

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => context?.close());

/** Starts a server and the application of the guide, with some of its texts replaced, and opens it in a new browser. */
async function openApplication(id: string, replaced: Readonly<Record<string, string>> = {}) {
  const application = await serveApplication(null, { 'keycloak-js': '/node_modules/keycloak-js/lib/keycloak.js' });
  const { origin } = application;
  const client = {
    id: 'browser-page',
    kind: 'public',
    redirectUris: [`${origin}/`, `${origin}/silent.html`],
    postLogoutRedirectUris: [`${origin}/`],
  };
  const server = await oidcServer({ id, clients: [client], clock: { nowMs: Date.now(), running: true } });
  const values = { 'http://localhost:4700': server.issuer, 'http://localhost:3000': origin, ...replaced };
  const code = readGuideCode(guide, 'new Keycloak', values);
  const listening = 'keycloak.onAuthError = (refused) => { globalThis.refusal = refused?.error; };\nawait keycloak';
  application.setPage('index', `${code.replace('await keycloak', listening)}\nglobalThis.keycloak = keycloak;`);
  application.setPage('silent', readGuideCode(guide, 'postMessage', values));
  context = await browser.newContext();
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { ...server, origin, page, complaints };
}

/** Waits until the application knows whether a user is signed in. */
async function isAuthenticated(page: Page): Promise<boolean> {
  await page.waitForFunction(() => 'keycloak' in globalThis);
  return page.evaluate(() => keycloak.authenticated === true);
}

describe.each(['default', 'demo'])('keycloak-js, sandbox %s', (id) => {
  test('signs in, calls userinfo and the policy API, refreshes, signs in silently, and signs out by a form', {
    timeout: 240_000,
  }, async () => {
    const { page, issuer, origin, complaints, findings } = await openApplication(id);
    await page.goto(`${origin}/`);
    expect(await isAuthenticated(page)).toBe(false);
    await page.evaluate(() => void keycloak.login());
    await signIn(page);
    await page.waitForURL(`${origin}/**`);
    expect(await isAuthenticated(page)).toBe(true);
    const first = await page.evaluate(() => keycloak.token);
    const info = await page.evaluate(() => keycloak.loadUserInfo());
    expect(info).toMatchObject({ sub: 'ada', name: 'Ada', email: 'ada@example.test' });
    expect(await page.evaluate(() => keycloak.updateToken(-1))).toBe(true);
    const second = await page.evaluate(() => keycloak.token);
    expect(second).not.toBe(first);
    const status = await page.evaluate(
      async ([url, token]) => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status,
      [`${issuer}${policyPath}`, second ?? ''] as const,
    );
    expect(status).toBe(200);

    const tab = await context.newPage();
    await tab.goto(`${origin}/`);
    expect(await isAuthenticated(tab)).toBe(true);
    expect(await tab.evaluate(() => keycloak.tokenParsed?.sub)).toBe('ada');

    const sent = page.waitForRequest((request) => request.url().endsWith('/oauth2/end_session'));
    await page.evaluate(() => void keycloak.logout());
    expect((await sent).method()).toBe('POST');
    await page.waitForURL(`${origin}/`);
    expect(await isAuthenticated(page)).toBe(false);
    expect([complaints, findings]).toEqual([[], []]);
  });

  test('is rejected with the flow implicit, which requests an access token from the authorization endpoint', async () => {
    const { page, origin } = await openApplication(id, {
      "onLoad: 'check-sso'": "flow: 'implicit'",
    });
    await page.goto(`${origin}/`);
    expect(await isAuthenticated(page)).toBe(false);
    await page.evaluate(() => void keycloak.login());
    await page.waitForFunction(() => 'refusal' in globalThis);
    expect(await page.evaluate(() => refusal)).toBe('unsupported_response_type');
  });
});
