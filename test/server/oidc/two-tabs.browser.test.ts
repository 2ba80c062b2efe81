import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sharedBrowser, stepTimeoutMs } from '../../shared-browser.ts';
import { nameIn, press, shows, signIn } from '../browser-acts.ts';
import { oidcServer } from './oidc-server.ts';
import { type AuthorizationRequest, RelyingParty } from './relying-party.ts';

let browser: Browser;
let context: BrowserContext;

/** Server for both applications, with an empty page. */
const applications = createServer((_request, response) => response.end('<!doctype html><title>Application</title>'));

beforeAll(async () => {
  await new Promise<void>((resolve) => applications.listen(0, 'localhost', resolve));
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => context?.close());

afterAll(async () => {
  applications.closeAllConnections();
  applications.close();
});

interface OpenTab {
  readonly page: Page;
  readonly party: RelyingParty;
  readonly request: AuthorizationRequest;
}

/** Opens two tabs of one browser, each redirected by its own application with its own state. */
async function twoTabs(): Promise<readonly [OpenTab, OpenTab]> {
  const { issuer } = await oidcServer();
  const { port } = applications.address() as AddressInfo;
  context = await browser.newContext();
  context.setDefaultTimeout(stepTimeoutMs);
  const open = async (id: string, secret?: string): Promise<OpenTab> => {
    const redirectUri = `http://localhost:${port}/${id}`;
    const party = await RelyingParty.discover(issuer, { id, redirectUri, ...(secret && { secret }) });
    const request = await party.ask({ prompt: 'login' });
    const page = await context.newPage();
    await page.goto(request.url.href);
    return { page, party, request };
  };
  return [await open('test-public'), await open('test-web', 'test-secret')];
}

/**
 * Returns the user of the tokens for a tab back at its application. The client checks URL, state, nonce and PKCE.
 */
async function findUser({ page, party, request }: OpenTab): Promise<string | undefined> {
  await page.waitForURL(`${party.redirectUri}?*`);
  return (await party.redeem({ address: page.url() }, request)).claims()?.sub;
}

test('two tabs of a real browser each end at their own application, from any combination of pages', {
  timeout: 60_000,
}, async () => {
  const [one, two] = await twoTabs();
  await nameIn(one.page, 'ada@example.test');
  await signIn(two.page, 'ben@example.test');
  await two.page.waitForURL(`${two.party.redirectUri}?*`);
  await one.page.getByLabel('Password').fill('correct horse');
  await press(one.page, 'Sign in');
  await one.page.getByLabel('Code').fill('123456');
  await press(one.page, 'Verify');
  expect([await findUser(one), await findUser(two)]).toEqual(['ada', 'ben']);
});

test('Back in a completed tab shows a page and does not affect the other tab', {
  timeout: 60_000,
}, async () => {
  const [one, two] = await twoTabs();
  await nameIn(two.page, 'ben@example.test');
  await signIn(one.page, 'ada@example.test');
  expect(await findUser(one)).toBe('ada');
  await one.page.goBack();
  await one.page.goBack().catch(() => undefined);
  const button = one.page.getByRole('button').first();
  if ((await button.count()) > 0)
    await one.page
      .locator('form')
      .first()
      .evaluate((form: { submit(): void }) => form.submit());
  await shows(one.page, 'problem');
  await two.page.getByLabel('Password').fill('correct horse');
  await press(two.page, 'Sign in');
  await two.page.getByLabel('Code').fill('123456');
  await press(two.page, 'Verify');
  expect(await findUser(two)).toBe('ben');
});
