import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passkeyTypes } from '../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../src/contract/facts.schema.ts';
import { newAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { HttpClient } from '../../src/scenario/drivers/http/http-client.ts';
import { nonEmpty } from '../non-empty.ts';
import { HttpTab } from './http-tab.ts';
import {
  begin,
  beginPrompt,
  campaignFor,
  type IdentityServer,
  pageIn,
  send,
  startIdentityServer,
} from './identity-server.ts';

const client = new HttpClient();
let server: IdentityServer;
let users = 0;

beforeAll(async () => {
  server = await startIdentityServer({ users: [] });
});

afterAll(async () => {
  await client.close();
  await server.close();
});

/**
 * Creates a user and a tab to sign in with, from facts of the user, the attempt and optionally the campaign method.
 */
async function openTab(
  user: object = {},
  attempt: AttemptPatch = {},
  method: 'fido2' | 'vendorAuthenticator' = 'vendorAuthenticator',
): Promise<{ tab: HttpTab; id: string; signIn: () => ReturnType<HttpTab['signIn']> }> {
  users += 1;
  const id = `user-${users}`;
  const { directory } = server.sandbox;
  await directory.patchTenant(campaignFor(method), 'control-api');
  await directory.putUser(id, user);
  await directory.setNextSignIn(id, attempt);
  const tab = new HttpTab({ client, baseUrl: server.baseUrl });
  const credentials = { name: `${id}@example.test`, password: 'correct horse', code: '123456' };
  return { tab, id, signIn: () => tab.signIn(credentials) };
}

describe('the first two factors', () => {
  test.for([
    ['sms', 'text message'],
    ['voice', 'called'],
    ['authenticator-totp', 'the code it shows'],
    ['authenticator-push', 'Approve'],
    ['hardware-totp', 'hardware token'],
    ['passkey', 'Use your passkey'],
  ] as const)('R1: the page of the second factor states the source of the code of %s', async ([method, words]) => {
    const { id } = await openTab({}, { mfa: { method } });
    const answer = await send(server, await begin(server, id), { action: 'password', password: 'correct horse' });
    expect([pageIn(answer).name, answer.text.includes(words)]).toEqual(['mfa', true]);
  });

  test.for([
    ['000000', 401],
    ['', 400],
    ['1234567', 401],
  ] as const)('R1: a code %j is rejected with %i and nothing is recorded', async ([code, status]) => {
    const { tab, id } = await openTab();
    const response = await tab.signIn({ name: `${id}@example.test`, password: 'correct horse', code });
    expect(response).toMatchObject({ page: 'mfa', status });
    expect(response.error).not.toBeNull();
    const { events } = await server.sandbox.signIns.detail(response.signInId ?? '');
    expect(events.map(({ event }) => event.type)).toEqual(['signIn.started', 'password.accepted']);
  });

  test('bad-request: an unknown username shows the form again and starts no sign-in', async () => {
    const before = server.sandbox.entryCount;
    const tab = new HttpTab({ client, baseUrl: server.baseUrl });
    const response = await tab.signIn({ name: 'nobody@example.test', password: 'x', code: '1' });
    expect(response).toMatchObject({ page: 'name', status: 400, signInId: null });
    expect(response.error).not.toBeNull();
    expect(server.sandbox.entryCount).toBe(before);
  });

  test('sign-in: a username is found in any case and with surrounding spaces', async () => {
    const { tab, id } = await openTab();
    const response = await tab.signIn({
      name: ` ${id.toUpperCase()}@Example.TEST `,
      password: 'correct horse',
      code: '123456',
    });
    expect(response.page).toBe('prompt');
  });

  test('R1: a code is accepted with the spaces that users type', async () => {
    const { tab, id } = await openTab();
    const response = await tab.signIn({ name: `${id}@example.test`, password: 'correct horse', code: ' 123 456 ' });
    expect(response.page).toBe('prompt');
  });

  test.for([
    ['wrong', 401],
    ['', 400],
    ['correct horse ', 401],
  ] as const)('sign-in: a password %j is rejected with %i and nothing is recorded', async ([password, status]) => {
    const { tab, id } = await openTab();
    const response = await tab.signIn({ name: `${id}@example.test`, password, code: '123456' });
    expect(response).toMatchObject({ page: 'password', status });
    expect(response.error).not.toBeNull();
    const { events } = await server.sandbox.signIns.detail(response.signInId ?? '');
    expect(events.map(({ event }) => event.type)).toEqual(['signIn.started']);
  });

  test('R1: a sign-in without a second factor completes without a prompt', async () => {
    const { signIn } = await openTab({}, { mfa: { completed: false } });
    expect(await signIn()).toMatchObject({ page: 'not-nudged', status: 200 });
  });

  test('R13.1: a sign-in through SSO shows no page', async () => {
    const { signIn } = await openTab({}, { ssoSession: true });
    expect(await signIn()).toMatchObject({ page: 'not-nudged', status: 200 });
  });

  test.for(['external', 'home-tenant'] as const)(
    'R3: a second factor at the %s provider is confirmed, not typed',
    async (provider) => {
      const { signIn } = await openTab({}, { mfa: { provider } });
      const response = await signIn();
      expect(response).toMatchObject({ page: 'not-nudged', interstitials: [] });
      const { events } = await server.sandbox.signIns.detail(response.signInId ?? '');
      expect(events.map(({ event }) => event.type)).toContain('mfa.completed');
    },
  );
});

describe('interstitial pages', () => {
  test('R13.4: terms of use are accepted during sign-in, and no prompt is shown', async () => {
    const { signIn } = await openTab({}, { termsOfUse: true });
    expect(await signIn()).toMatchObject({ page: 'not-nudged', interstitials: ['terms-of-use'] });
  });

  test('R13.3: a blocked registration is shown during sign-in, and no prompt is shown', async () => {
    const { signIn } = await openTab({}, { conditionalAccess: { registrationPageBlocked: true } });
    expect(await signIn()).toMatchObject({ page: 'not-nudged', interstitials: ['blocked'] });
  });

  test('R13.4: both pages are shown, with the terms of use first', async () => {
    const { signIn } = await openTab({}, { termsOfUse: true, conditionalAccess: { registrationPageBlocked: true } });
    expect((await signIn()).interstitials).toEqual(['terms-of-use', 'blocked']);
  });
});

describe('the prompt', () => {
  test('R5: it shows the snoozes left, and skipping it completes the sign-in', async () => {
    const { tab, id, signIn } = await openTab({ snooze: { count: 1 } });
    expect(await signIn()).toMatchObject({ page: 'prompt', skippable: true, snoozesLeft: 2, status: 200 });
    expect(await tab.skip()).toMatchObject({ page: 'signed-in', status: 200, skippable: null });
    expect(server.sandbox.directory.nudgeStatus(id)).toMatchObject({ state: 'snoozed', snoozes: 2 });
  });

  test('R6: with unlimited snoozes it shows no number', async () => {
    const { signIn } = await openTab();
    await server.sandbox.directory.patchTenant(
      { campaign: { enforceRegistrationAfterAllowedSnoozes: false } },
      'control-api',
    );
    const response = await signIn();
    await server.sandbox.directory.patchTenant(
      { campaign: { enforceRegistrationAfterAllowedSnoozes: true } },
      'control-api',
    );
    expect(response).toMatchObject({ page: 'prompt', skippable: true, snoozesLeft: null });
  });

  test('A1: after three snoozes it is required, has no skip button, and rejects a forged skip', async () => {
    const { tab, id, signIn } = await openTab({ snooze: { count: 3 } });
    expect(await signIn()).toMatchObject({ page: 'required', skippable: false, snoozesLeft: 0, status: 200 });
    const { finished } = server.sandbox.signIns.view(tab.signInId);
    expect(await tab.skip()).toMatchObject({ page: 'required', skippable: false, status: 409 });
    expect(finished).toBe(false);
    expect(server.sandbox.signIns.view(tab.signInId).finished).toBe(false);
    expect(server.sandbox.directory.nudgeStatus(id)).toMatchObject({ state: 'registrationRequired', snoozes: 3 });
  });

  test('A39: if the limit is reached while the prompt is open, its skip shows the required prompt', async () => {
    const { tab, id, signIn } = await openTab();
    await signIn();
    await server.sandbox.directory.setSnooze(id, { count: 3 });
    expect(await tab.skip()).toMatchObject({ page: 'required', skippable: false, status: 409 });
  });

  test('R10.1: Next opens the setup of the app, and completing it registers push notifications', async () => {
    const { tab, id, signIn } = await openTab();
    await signIn();
    expect(await tab.next()).toMatchObject({ page: 'setup', status: 200, skippable: null });
    expect(server.sandbox.directory.user(id).methods).not.toContain('authenticator-push');
    expect(await tab.register(null)).toMatchObject({ page: 'signed-in', status: 200 });
    expect(server.sandbox.directory.user(id).methods).toContain('authenticator-push');
    expect(server.sandbox.directory.nudgeStatus(id).state).toBe('registered');
  });

  test.for(nonEmpty(passkeyTypes))(
    'R12: the setup of a passkey registers one of the type %s on the given device',
    async (type) => {
      const { tab, id, signIn } = await openTab({}, {}, 'fido2');
      await signIn();
      const authenticator = await newAuthenticator(type, 'windows', 'phone');
      expect(await tab.register({ authenticator, deviceId: 'phone "7"' })).toMatchObject({ page: 'signed-in' });
      const [{ id: credentialId } = { id: '' }] = authenticator.listCredentials();
      expect(server.sandbox.directory.user(id).passkeys).toEqual([{ type, deviceId: 'phone "7"', credentialId }]);
    },
  );

  test.for(nonEmpty(passkeyTypes))(
    'R12: the software authenticator creates a passkey of the type %s, which is registered once it is named',
    async (type) => {
      const { id } = await openTab({}, {}, 'fido2');
      const openPrompt = await beginPrompt(server, id);
      await send(server, openPrompt, { action: 'next' });
      const made = await send(server, openPrompt, { action: 'finish', passkeyType: type, deviceId: 'phone "7"' });
      expect([made.status, pageIn(made).name]).toEqual([200, 'setup-name']);
      expect(server.sandbox.directory.user(id).passkeys).toEqual([]);
      const named = await send(server, openPrompt, { action: 'name-passkey', name: 'Mine' });
      expect([named.status, pageIn(named).name]).toEqual([200, 'signed-in']);
      expect(server.sandbox.directory.user(id).passkeys).toMatchObject([{ type, deviceId: 'phone "7"' }]);
    },
  );

  test('R12: the type of a passkey is marked as wrong only after an unknown one was sent', async () => {
    const { id } = await openTab({}, {}, 'fido2');
    const openPrompt = await beginPrompt(server, id);
    const marks = ({ text }: { readonly text: string }) => [
      /<select id="passkeyType"[^>]*aria-invalid="true" aria-describedby="passkeyType-fault"/.test(text),
      /role="alert" id="passkeyType-fault"/.test(text),
    ];
    expect(marks(await send(server, openPrompt, { action: 'next' }))).toEqual([false, false]);
    const refused = await send(server, openPrompt, { action: 'finish', passkeyType: 'carved', deviceId: 'phone' });
    expect([refused.status, ...marks(refused)]).toEqual([400, true, true]);
  });

  test('A9: the form contains the device of the attempt', async () => {
    const { id } = await openTab({}, { deviceId: 'laptop-9' }, 'fido2');
    const openPrompt = await beginPrompt(server, id);
    const { forms } = pageIn(await send(server, openPrompt, { action: 'next' }));
    const shown = forms.flatMap(({ fields }) => fields).find(({ label }) => label === 'Device');
    expect(shown?.value).toBe('laptop-9');
    await send(server, openPrompt, { action: 'finish', passkeyType: 'windows-bound' });
    await send(server, openPrompt, { action: 'name-passkey', name: 'Mine' });
    expect(server.sandbox.directory.user(id).passkeys).toMatchObject([{ type: 'windows-bound', deviceId: 'laptop-9' }]);
  });

  test('A12: a failed setup shows the error screen, and skipping it completes the sign-in without a snooze', async () => {
    const { tab, id, signIn } = await openTab();
    await signIn();
    expect(await tab.failRegistration()).toMatchObject({ page: 'error-screen', skippable: null, status: 200 });
    expect(await tab.skipError()).toMatchObject({ page: 'signed-in', status: 200 });
    expect(server.sandbox.directory.nudgeStatus(id)).toMatchObject({ state: 'notPrompted', snoozes: 0 });
  });

  test('A45: the setup can be retried after a failure', async () => {
    const { tab, id, signIn } = await openTab({ snooze: { count: 3 } });
    await signIn();
    await tab.failRegistration();
    expect(await tab.next()).toMatchObject({ page: 'setup' });
    expect(await tab.register(null)).toMatchObject({ page: 'signed-in' });
    expect(server.sandbox.directory.nudgeStatus(id).state).toBe('registered');
  });

  test('too-many-prompts: a user with the maximum number of open prompts cannot open another one', async () => {
    const { id, signIn } = await openTab();
    for (let open = 0; open < 32; open += 1) await signIn();
    const answer = await server.ask('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `username=${id}@example.test`,
    });
    expect([answer.status, answer.text.includes('data-error="too-many-prompts"')]).toEqual([409, true]);
  });
});
