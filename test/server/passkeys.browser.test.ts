import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledAuthenticator, installAuthenticator } from '../../src/authenticators/install-authenticator.ts';
import type { Misbehavior } from '../../src/authenticators/misbehavior.ts';
import { findZeroAaguidProfile, getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { virtualAuthenticatorOptions } from '../../src/authenticators/virtual-authenticator.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { shareInFile } from '../share-in-file.ts';
import { sharedBrowser, stepTimeoutMs } from '../shared-browser.ts';
import { countEvents, inputs, nameIn, press, shows, signIn } from './browser-acts.ts';
import { listPasskeys } from './list-passkeys.ts';
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

interface Setting {
  readonly page: Page;
  readonly sandbox: Sandbox;
  readonly installed: InstalledAuthenticator;
}

/** Opens a browser with a software authenticator for a separate sandbox, before its first page. */
async function opened(authenticator: SoftwareAuthenticator | null, surroundings: Surroundings = {}): Promise<Setting> {
  const { sandbox } = await site.visitor(surroundings);
  context = await browser.newContext();
  context.setDefaultTimeout(stepTimeoutMs);
  const installed = await installAuthenticator(context, authenticator ?? createAuthenticator());
  const page = await context.newPage();
  await page.goto(`${sandbox.tokens.issuer}/sign-in`);
  return { page, sandbox, installed };
}

/** Opens a browser as `opened` does, but with the browser’s own authenticator. */
async function openedBare(surroundings: Surroundings = {}, options: object = {}): Promise<Omit<Setting, 'installed'>> {
  const { sandbox } = await site.visitor(surroundings);
  context = await browser.newContext(options);
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  await page.goto(`${sandbox.tokens.issuer}/sign-in`);
  return { page, sandbox };
}

function createAuthenticator(misbehavior: Misbehavior = 'approves'): SoftwareAuthenticator {
  return new SoftwareAuthenticator({ profile: getAuthenticatorProfile('security-key', 'windows'), misbehavior });
}

const passkeyPrompt: Surroundings = { tenant: passkeyCampaign, attempt: { os: 'windows' } };
const held = { user: { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] } };

/** Opens a browser whose authenticator has Ada’s test passkey. */
async function openedByHolder(surroundings: Surroundings = held): Promise<Setting> {
  const setting = await opened(null, surroundings);
  setting.installed.use(await holdingAuthenticator(listPasskeys(setting.sandbox, 'ada')));
  return setting;
}

describe('passkeys in a real browser', { timeout: 20_000 }, () => {
  test('passkey: a passkey is created and named, and signs in on the first page, on the password page and as the second factor', async () => {
    const { page, sandbox } = await opened(createAuthenticator(), passkeyPrompt);
    await signIn(page);
    await press(page, 'Next');
    await press(page, 'Create passkey');
    await page.getByLabel('Name').fill('Blue key');
    await press(page, 'Save');
    await shows(page, 'signed-in');
    expect(listPasskeys(sandbox, 'ada')).toMatchObject([{ type: 'security-key', credential: { name: 'Blue key' } }]);
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'registered', snoozes: 0 });

    await page.goto(`${sandbox.tokens.issuer}/sign-in`);
    await press(page, 'Sign in with a passkey');
    await shows(page, 'not-nudged');

    await page.goto(`${sandbox.tokens.issuer}/sign-in`);
    await nameIn(page);
    await press(page, 'Use a passkey instead');
    await shows(page, 'not-nudged');

    await sandbox.directory.setNextSignIn('ada', { mfa: { method: 'passkey' } });
    await page.goto(`${sandbox.tokens.issuer}/sign-in`);
    await nameIn(page);
    await page.getByLabel('Password').fill('correct horse');
    await press(page, 'Sign in');
    await press(page, 'Use passkey');
    await shows(page, 'not-nudged');
    expect(listPasskeys(sandbox, 'ada')[0]?.credential.counter).toBe(4);
  });

  test('A51: Chromium’s own virtual authenticator creates a passkey and signs in with it', async () => {
    const { page, sandbox } = await openedBare(passkeyPrompt);
    const profile = findZeroAaguidProfile('windows-bound', 'windows');
    const options = profile && virtualAuthenticatorOptions(profile, 'approves');
    expect.assert(options !== null);
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', { options });
    await signIn(page);
    await press(page, 'Next');
    await press(page, 'Create passkey');
    await press(page, 'Save');
    await shows(page, 'signed-in');
    expect(listPasskeys(sandbox, 'ada')).toMatchObject([
      { type: 'windows-bound', credential: { kindConfidence: 'derived', transports: ['internal'] } },
    ]);
    // This authenticator requires no user gesture and responds to the conditional request of the page.
    await page.goto(`${sandbox.tokens.issuer}/sign-in`);
    await page.locator('main:not([data-page=name])').waitFor();
    expect(await countEvents(sandbox, 'mfa.completed')).toBe(2);
    expect(await countEvents(sandbox, 'password.accepted')).toBe(1);
  });

  test('autofill: a passkey selected in the username suggestions signs in without a button', async () => {
    const { page, installed, sandbox } = await openedByHolder();
    await expect.poll(() => installed.chooseFromAutofill({ page })).toBe('chosen');
    await page.locator('main:not([data-page=name])').waitFor();
    expect(await inputs(sandbox)).toEqual(expect.arrayContaining(['signIn.started', 'mfa.completed']));
    expect(await countEvents(sandbox, 'password.accepted')).toBe(0);
  });

  test('autofill: waits while a username is typed, and blocks neither the username nor the button', async () => {
    const { page, installed, sandbox } = await openedByHolder();
    await expect.poll(() => installed.chooseFromAutofill({ page, credentialId: 'AAAA' })).toBe('nothing-offered');
    await page.getByLabel('Username').press('Enter');
    await shows(page, 'name');
    await page.getByLabel('Username').fill('ada@example.test');
    await page.getByLabel('Username').press('Enter');
    await shows(page, 'password');
    await page.goBack();
    await shows(page, 'name');
    await expect.poll(() => installed.chooseFromAutofill({ page, credentialId: 'AAAA' })).toBe('nothing-offered');
    await press(page, 'Sign in with a passkey');
    await page.locator('main:not([data-page=name])').waitFor();
    expect(await countEvents(sandbox, 'mfa.completed')).toBe(1);
  });

  test.for(['refuses', 'times-out'] as const)(
    'NotAllowedError: if the authenticator %s, the page reports it and the button can be pressed again',
    async (misbehavior) => {
      const { page, installed, sandbox } = await openedByHolder();
      const authenticator = await holdingAuthenticator(listPasskeys(sandbox, 'ada'));
      authenticator.misbehavior = misbehavior;
      installed.use(authenticator);
      const before = sandbox.entryCount;
      await press(page, 'Sign in with a passkey');
      await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
      await shows(page, 'name');
      expect(sandbox.entryCount).toBe(before);
      authenticator.misbehavior = 'approves';
      await press(page, 'Sign in with a passkey');
      await page.locator('main:not([data-page=name])').waitFor();
    },
  );

  test('R11.8: a rejected creation shows the error screen and does not count; a retry registers the passkey', async () => {
    const authenticator = createAuthenticator('refuses');
    const { page, sandbox } = await opened(authenticator, passkeyPrompt);
    await signIn(page);
    await press(page, 'Next');
    await press(page, 'Create passkey');
    await shows(page, 'error-screen');
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 0 });
    expect(await countEvents(sandbox, 'browser.closed')).toBe(0);
    authenticator.misbehavior = 'approves';
    await press(page, 'Try again');
    await press(page, 'Create passkey');
    await press(page, 'Save');
    await shows(page, 'signed-in');
    expect(sandbox.directory.user('ada').passkeys).toHaveLength(1);
  });

  test('A41: closing the page while it waits for the authenticator closes the prompt', async () => {
    const { page, sandbox } = await opened(createAuthenticator('walks-away'), passkeyPrompt);
    await signIn(page);
    await press(page, 'Next');
    await press(page, 'Create passkey');
    await page.close();
    await expect.poll(() => countEvents(sandbox, 'browser.closed')).toBe(1);
    expect(sandbox.directory.user('ada').passkeys).toEqual([]);
  });

  test.for(['wrong-origin', 'bad-signature', 'replayed-challenge'] as const)(
    'R11.8: a creation with %s shows the error screen',
    async (misbehavior) => {
      const { page, sandbox } = await opened(createAuthenticator(misbehavior), passkeyPrompt);
      await signIn(page);
      await press(page, 'Next');
      await press(page, 'Create passkey');
      await shows(page, 'error-screen');
      expect(sandbox.directory.user('ada').passkeys).toEqual([]);
    },
  );

  test('passkey: the security information creates one, excludes it afterwards, and removes it', async () => {
    const { page, sandbox } = await opened(createAuthenticator(), { tenant: { campaign: { state: 'disabled' } } });
    await signIn(page);
    await shows(page, 'not-nudged');
    await page.goto(`${sandbox.tokens.issuer}/security-info`);
    await press(page, 'Create passkey');
    await page.getByText('Security key').first().waitFor();
    expect(sandbox.directory.user('ada').passkeys).toHaveLength(1);
    await press(page, 'Create passkey');
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    expect(sandbox.directory.user('ada').passkeys).toHaveLength(1);
    await press(page, 'Remove Security key');
    await page.getByText('You have no registered passkeys.').waitFor();
    expect(sandbox.directory.user('ada').passkeys).toEqual([]);
  });
});

describe('automatic actions of the page script', { timeout: 20_000 }, () => {
  const quiet = { campaign: { state: 'disabled' } };
  const keychain = () => new SoftwareAuthenticator({ profile: getAuthenticatorProfile('keychain', 'macos') });

  test('upgrade: after a password the browser creates a passkey and stays on the page', async () => {
    const settings = { passkeys: { conditionalCreate: true, prf: true } };
    const { page, sandbox } = await opened(keychain(), { tenant: quiet, settings });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('upgrade') === true) sent.push(request.postData() ?? '');
    });
    await signIn(page);
    await page.locator('[data-upgrade][data-state="accepted"]').waitFor({ state: 'attached' });
    await shows(page, 'not-nudged');
    expect(listPasskeys(sandbox, 'ada')).toMatchObject([{ type: 'keychain', credential: { prf: true } }]);
    // The PRF output never leaves the browser.
    expect(sent).toHaveLength(1);
    const credential = JSON.parse(new URLSearchParams(sent[0]).get('credential') ?? '');
    expect(credential.clientExtensionResults.prf).toEqual({ enabled: true });
  });

  test('upgrade: the authenticator deletes a passkey that the server rejects', async () => {
    const settings = { passkeys: { conditionalCreate: true } };
    const fido2 = { keyRestrictions: { type: 'block', kinds: ['keychain'] } };
    const authenticator = keychain();
    const { page, sandbox } = await opened(authenticator, { tenant: { ...quiet, methodsPolicy: { fido2 } }, settings });
    await signIn(page);
    await page.locator('[data-upgrade][data-state="rejected"]').waitFor({ state: 'attached' });
    expect([listPasskeys(sandbox, 'ada'), authenticator.listCredentials()]).toEqual([[], []]);
  });

  test('upgrade: the page is unchanged if the browser or its authenticator does not support it', async () => {
    const settings = { passkeys: { conditionalCreate: true } };
    const { page, sandbox } = await opened(createAuthenticator(), { tenant: quiet, settings });
    await signIn(page);
    await page.locator('[data-upgrade][data-state="not-created"]').waitFor({ state: 'attached' });
    await page.addInitScript('PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: false })');
    await page.reload();
    await page.locator('[data-upgrade][data-state="unsupported"]').waitFor({ state: 'attached' });
    expect(listPasskeys(sandbox, 'ada')).toEqual([]);
  });

  test('signals: a removed passkey disappears from the authenticator at the next sign-in', async () => {
    const { page, sandbox, installed } = await openedByHolder({ tenant: quiet, ...held });
    const authenticator = await holdingAuthenticator(listPasskeys(sandbox, 'ada'));
    installed.use(authenticator);
    expect(authenticator.listCredentials()).toHaveLength(1);
    await sandbox.directory.removeMethod('ada', 'fido2');
    await signIn(page);
    await expect.poll(() => authenticator.listCredentials()).toEqual([]);
  });

  test('signals: a browser without signal support displays the page normally', async () => {
    const { page } = await opened(createAuthenticator(), { tenant: quiet });
    await page.addInitScript(
      'for (const name of Object.getOwnPropertyNames(PublicKeyCredential)) if (name.startsWith("signal")) PublicKeyCredential[name] = undefined;',
    );
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await signIn(page);
    await shows(page, 'not-nudged');
    expect(faults).toEqual([]);
  });
});
