import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { shareInFile } from '../share-in-file.ts';
import { sharedBrowser, stepTimeoutMs } from '../shared-browser.ts';
import { countEvents, nameIn, press, shows, signIn } from './browser-acts.ts';
import { RelyingParty } from './oidc/relying-party.ts';
import { passkeyCampaign, type Surroundings, startSite } from './site.ts';

const site = shareInFile(() => startSite());
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => {
  await context?.close();
});

/** Opens a browser for a separate sandbox, before its first page. */
async function openedBare(
  surroundings: Surroundings = {},
  options: object = {},
): Promise<{ readonly page: Page; readonly sandbox: Sandbox }> {
  const { sandbox } = await site.visitor(surroundings);
  context = await browser.newContext(options);
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  await page.goto(`${sandbox.tokens.issuer}/sign-in`);
  return { page, sandbox };
}

/** Counts the beacons that the server has handled. */
function beacons({ id }: Sandbox): number {
  return site.requestLog.listRequests(id).requests.filter(({ status }) => status === 204).length;
}

/** Counts the pending closes of Ada’s open prompts. */
function marks(sandbox: Sandbox): number {
  return sandbox.directory.nudgeStatus('ada').openPrompts.filter(({ unloadedAt }) => unloadedAt !== null).length;
}

const passkeyPrompt: Surroundings = { tenant: passkeyCampaign, attempt: { os: 'windows' } };
const held = { user: { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] } };

describe('closing a prompt in a real browser', { timeout: 20_000 }, () => {
  test('A41: closing the page sends one unload beacon', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await shows(page, 'prompt');
    await page.close();
    await expect.poll(() => marks(sandbox)).toBe(1);
    expect(await countEvents(sandbox, 'browser.closed')).toBe(1);
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted', snoozes: 0 });
    await sandbox.directory.settlePendingCloses('ada');
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 1 });
  });

  test('A41: submitting forms records no pending close: Next, failing, retrying, skipping', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await press(page, 'Next');
    await press(page, 'It did not work');
    await press(page, 'Try again');
    await shows(page, 'setup');
    await press(page, 'It did not work');
    await press(page, 'Skip');
    await shows(page, 'signed-in');
    await page.close();
    expect(await countEvents(sandbox, 'browser.closed')).toBe(0);
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(0);
  });

  test('A41: a reload shows the prompt again, submits no form, and leaves no pending close', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await shows(page, 'prompt');
    for (let times = 1; times <= 3; times += 1) {
      await page.reload();
      await shows(page, 'prompt');
      await expect.poll(() => beacons(sandbox)).toBe(times);
    }
    expect(marks(sandbox)).toBe(0);
    expect(await countEvents(sandbox, 'mfa.completed')).toBe(1);
    await press(page, 'Skip for now');
    await shows(page, 'signed-in');
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  test('A41: navigating away records a pending close, and returning withdraws it', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await shows(page, 'prompt');
    await page.goto(`${site.server.baseUrl}/`);
    await expect.poll(() => marks(sandbox)).toBe(1);
    await page.goBack();
    await shows(page, 'prompt');
    await expect.poll(() => marks(sandbox)).toBe(0);
    await page.goForward();
    await expect.poll(() => marks(sandbox)).toBe(1);
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(0);
  });

  test('A26: Back after Next shows the current page of the sign-in, and a skip from there counts one snooze', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await press(page, 'Next');
    await shows(page, 'setup');
    await page.goBack();
    await page.locator('main[data-sign-in]').waitFor();
    expect(await countEvents(sandbox, 'mfa.completed')).toBe(1);
    await page.goForward();
    await page.locator('main[data-sign-in]').waitFor();
    expect(marks(sandbox)).toBe(0);
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 0 });
  });

  test('A25: closing a page after the prompt was completed records no pending close', async () => {
    const { page, sandbox } = await openedBare();
    await signIn(page);
    await press(page, 'Skip for now');
    await shows(page, 'signed-in');
    const before = sandbox.entryCount;
    await page.goto(`${site.server.baseUrl}/`);
    await page.goBack();
    await shows(page, 'signed-in');
    await page.close();
    expect(sandbox.entryCount).toBe(before);
  });
});

describe('redirect back to an application', { timeout: 20_000 }, () => {
  let application: Server;
  let applicationOrigin: string;

  beforeAll(async () => {
    application = createServer((_request, response) => response.end('the application'));
    application.listen(0, '127.0.0.1');
    await once(application, 'listening');
    applicationOrigin = `http://localhost:${(application.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    application.closeAllConnections();
    application.close();
  });

  /** Opens a browser that was redirected by the application. */
  async function sentBy(clientId: string, surroundings: Surroundings): Promise<{ page: Page; sandbox: Sandbox }> {
    const opened = await openedBare(surroundings);
    const { issuer } = opened.sandbox.tokens;
    const party = await RelyingParty.discover(issuer, {
      id: clientId,
      nowMs: opened.sandbox.clock.nowMs(),
      redirectUri: `${applicationOrigin}/callback`,
    });
    await opened.page.goto((await party.ask()).url.href);
    return opened;
  }

  function answerIn(page: Page): URLSearchParams {
    const { origin, searchParams } = new URL(page.url());
    expect(origin).toBe(applicationOrigin);
    return searchParams;
  }

  test('form-action: skipping the prompt redirects back with a code, under the content security policy of the pages', async () => {
    const { page, sandbox } = await sentBy('test-public', {});
    await signIn(page);
    await shows(page, 'prompt');
    await press(page, 'Skip for now');
    await page.getByText('the application').waitFor();
    expect(answerIn(page).get('code')).not.toBeNull();
    expect(await countEvents(sandbox, 'browser.closed')).toBe(0);
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  test('form-action: the redirect passes the stay-signed-in page and the consent page', async () => {
    const surroundings = { tenant: { campaign: { state: 'disabled' } }, settings: { askToStaySignedIn: true } };
    const { page } = await sentBy('test-consent', surroundings);
    await signIn(page);
    await shows(page, 'stay-signed-in');
    await press(page, 'No');
    await shows(page, 'consent');
    await press(page, 'Accept');
    await page.getByText('the application').waitFor();
    expect(answerIn(page).get('code')).not.toBeNull();
  });

  test('form-action: denied consent redirects back with its error', async () => {
    const { page } = await sentBy('test-consent', { tenant: { campaign: { state: 'disabled' } } });
    await signIn(page);
    await press(page, 'Cancel');
    await page.getByText('the application').waitFor();
    expect(answerIn(page).get('error')).toBe('access_denied');
  });

  test('form-action: a form_post response submits itself without browser errors', async () => {
    const complaints: string[] = [];
    const { page, sandbox } = await openedBare({ tenant: { campaign: { state: 'disabled' } } });
    // A test can be quicker than the autofocus of a page, which the browser then notes as information.
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    const { issuer } = sandbox.tokens;
    const redirectUri = `${applicationOrigin}/callback`;
    const party = await RelyingParty.discover(issuer, { nowMs: sandbox.clock.nowMs(), redirectUri });
    const posted = page.waitForRequest((request) => request.url() === redirectUri && request.method() === 'POST');
    await page.goto((await party.ask({ response_mode: 'form_post' })).url.href);
    await signIn(page);
    const answer = new URLSearchParams((await posted).postData() ?? '');
    await page.getByText('the application').waitFor();
    expect(answer.get('code')).not.toBeNull();
    expect(complaints).toEqual([]);
  });

  test('form-action: a sign-in replaces another user who signed in meanwhile', async () => {
    const quiet = { tenant: { campaign: { state: 'disabled' } } };
    const { page, sandbox } = await openedBare(quiet);
    await sandbox.directory.putUser('ben', {});
    const redirectUri = `${applicationOrigin}/callback`;
    const party = await RelyingParty.discover(sandbox.tokens.issuer, { nowMs: sandbox.clock.nowMs(), redirectUri });
    const request = await party.ask();
    await page.goto(request.url.href);
    const other = await context.newPage();
    await other.goto((await party.ask()).url.href);
    await signIn(other, 'ben@example.test');
    await other.getByText('the application').waitFor();
    await signIn(page);
    await page.waitForURL(`${redirectUri}?**`);
    expect((await party.redeem({ address: page.url() }, request)).claims()?.sub).toBe('ada');
  });

  test('A41: a reload during the sign-in keeps the waiting application', async () => {
    const { page, sandbox } = await sentBy('test-public', {});
    await nameIn(page);
    await shows(page, 'password');
    await page.reload();
    await shows(page, 'password');
    await page.getByLabel('Password').fill('correct horse');
    await press(page, 'Sign in');
    await page.getByLabel('Code').fill('123456');
    await press(page, 'Verify');
    await shows(page, 'prompt');
    await page.reload();
    await press(page, 'Skip for now');
    await page.getByText('the application').waitFor();
    expect(answerIn(page).get('code')).not.toBeNull();
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });
});

describe('accessibility and browser support', { timeout: 20_000 }, () => {
  test('keyboard: a sign-in works without a pointer: each page focuses its field, and Enter continues', async () => {
    const { page, sandbox } = await openedBare();
    for (const [name, typed] of [
      ['name', 'ada@example.test'],
      ['password', 'correct horse'],
      ['mfa', '123456'],
    ] as const) {
      await page.locator(`main[data-page="${name}"] input:focus`).waitFor();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    }
    await shows(page, 'prompt');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shows(page, 'signed-in');
    expect(await countEvents(sandbox, 'prompt.skipped')).toBe(1);
  });

  test('without scripts: a whole journey works, including the setup with the software authenticator', async () => {
    const { page, sandbox } = await openedBare(passkeyPrompt, { javaScriptEnabled: false });
    await signIn(page);
    await press(page, 'Next');
    await page.getByText('Use the test authenticator').click();
    await page.getByLabel('Passkey type').selectOption('keychain');
    await press(page, 'Finish');
    await page.getByLabel('Name').fill('Mine');
    await press(page, 'Save');
    await shows(page, 'signed-in');
    expect(sandbox.directory.user('ada').passkeys).toMatchObject([{ type: 'keychain' }]);
  });

  test('without scripts: the passkey button shows a message, not an error', async () => {
    const { page, sandbox } = await openedBare(held, { javaScriptEnabled: false });
    await press(page, 'Sign in with a passkey');
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await shows(page, 'name');
    expect(await countEvents(sandbox, 'signIn.started')).toBe(0);
  });

  test('number matching: approving in a separate phone window continues the page', async () => {
    const { page, sandbox } = await openedBare({ user: { methods: ['authenticator-push'] } });
    await nameIn(page);
    await page.getByLabel('Password').fill('correct horse');
    await press(page, 'Sign in');
    const number = await page.locator('[data-number]').innerText();
    const [phone] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'open the simulated phone' }).click(),
    ]);
    await phone.getByLabel('Number on the sign-in page').fill(number);
    await press(phone, 'Approve');
    await phone.getByText('No pending notifications.').waitFor();
    await press(page, 'Continue');
    await shows(page, 'not-nudged');
    expect(await countEvents(sandbox, 'push.answered')).toBe(1);
  });
});
