import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sharedBrowser, stepTimeoutMs } from '../../shared-browser.ts';
import { press, shows, signIn } from '../browser-acts.ts';
import { serveApplication } from './browser-application.ts';
import { oidcServer } from './oidc-server.ts';
import { RelyingParty } from './relying-party.ts';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => context?.close());

/** Starts an application that receives requests and does not respond. */
async function startSilentApplication(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Signs in to an application, and opens the page that asks whether to sign out. */
async function openSignOut(
  frontchannelLogoutUri: (origin: string) => string,
  options: Parameters<Browser['newContext']>[0] = {},
) {
  const { origin, setPage } = await serveApplication(null, {});
  for (const name of ['index', 'frontchannel']) setPage(name, '');
  const client = {
    id: 'shop',
    kind: 'public',
    redirectUris: [`${origin}/`],
    postLogoutRedirectUris: [`${origin}/index.html`],
    frontchannelLogoutUri: frontchannelLogoutUri(origin),
  };
  const server = await oidcServer({ clients: [client] });
  const party = await RelyingParty.discover(server.issuer, { id: 'shop', redirectUri: `${origin}/` });
  context = await browser.newContext(options);
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const request = await party.ask();
  await page.goto(request.url.href);
  await signIn(page);
  await page.waitForURL(`${origin}/?*`);
  const claims = (await party.redeem({ address: page.url() }, request)).claims();
  const leaving = { client_id: 'shop', post_logout_redirect_uri: `${origin}/index.html`, state: 'back' };
  await page.goto(`${server.issuer}/oauth2/end_session?${new URLSearchParams(leaving)}`);
  return { ...server, origin, page, claims, complaints };
}

describe('CL81: front-channel logout in a browser', () => {
  test('loads the page of the application in a frame with iss and sid, and leads back to it', async () => {
    const { page, origin, issuer, claims, complaints } = await openSignOut(
      (own) => `${own}/frontchannel.html?tenant=1`,
    );
    const loaded = page.waitForRequest((request) => request.url().startsWith(`${origin}/frontchannel.html`));
    await press(page, 'Sign out');
    const request = await loaded;
    expect(request.resourceType()).toBe('document');
    expect(request.frame()).not.toBe(page.mainFrame());
    const parameters = Object.fromEntries(new URL(request.url()).searchParams);
    expect(parameters).toEqual({ tenant: '1', iss: issuer, sid: claims?.['sid'] });
    await page.waitForURL(`${origin}/index.html?state=back`);
    expect(complaints).toEqual([]);
  });

  test('does not wait longer for an application that does not respond', async () => {
    const silent = await startSilentApplication();
    const { page, origin } = await openSignOut(() => `${silent}/signed-out`);
    const confirmed = page.waitForResponse((response) => response.url().endsWith('/end_session/confirm'));
    await press(page, 'Sign out');
    expect((await confirmed).headers()['content-security-policy']).toContain(`frame-src ${silent}/signed-out;`);
    await page.waitForURL(`${origin}/index.html?state=back`);
  });

  test.each(['light', 'dark'] as const)('a link leads on without scripts, %s', async (colorScheme) => {
    const options = { colorScheme, javaScriptEnabled: false };
    const { page, origin } = await openSignOut((own) => `${own}/frontchannel.html`, options);
    await press(page, 'Sign out');
    await shows(page, 'signing-out');
    await page.getByRole('link').click();
    await page.waitForURL(`${origin}/index.html?state=back`);
    expect(await page.getByRole('heading').textContent()).toBe('Application');
  });
});
