import { describe, expect, test } from 'vitest';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { serveControl } from './control-client.ts';
import { campaignFor } from './identity-server.ts';

const passkeys = [
  { type: 'keychain', deviceId: 'phone' },
  { type: 'keychain', deviceId: 'phone' },
  { type: 'security-key', deviceId: 'key' },
] as const;

/** Starts a server on which Ada is at the page of her second factor. */
async function atFactor(method: 'sms' | 'authenticator-push') {
  const server = await serveControl({ sandbox: { users: [{ id: 'ada', methods: [method], code: '654321' }] } });
  const sandbox = server.sandboxes.get('default');
  const { id } = await sandbox.signIns.start('ada', { mfa: { method } });
  await sandbox.signIns.acceptPassword(id);
  return { ...server, sandbox, id };
}

describe('control API: passkeys', () => {
  test('getPasskeys: the test passkeys of a user have individual keys, which are the same every time', async () => {
    const { ask } = await serveControl({ sandbox: { users: [{ id: 'ada', passkeys: [...passkeys] }] } });
    const { status, body } = await ask('GET ./users/ada/passkeys');
    expect(status).toBe(200);
    expect(body.passkeys).toMatchObject(passkeys.map((passkey, place) => ({ place, ...passkey })));
    const ids = body.passkeys.map(({ credential }: { credential: { id: string } }) => credential.id);
    expect(new Set(ids).size).toBe(3);
    expect((await ask('GET ./users/ada/passkeys')).body).toEqual(body);
    const [first] = body.passkeys;
    expect(Buffer.from(first.userHandle, 'base64url').toString()).toBe('default\nada');
    const authenticator = new SoftwareAuthenticator({
      profile: getAuthenticatorProfile('keychain', 'ios'),
      credentials: [
        { ...first.credential, rpId: 'localhost', userHandle: first.userHandle, privateKey: first.privateKey },
      ],
    });
    const answer = await authenticator.get({ challenge: 'AAAA', rpId: 'localhost' }, { origin: 'http://localhost:1' });
    expect(answer.id).toBe(ids[0]);
  });

  test('getPasskeys: keys differ by user, random seed and sandbox', async () => {
    const users = [
      { id: 'ada', passkeys: [passkeys[0]] },
      { id: 'ben', passkeys: [passkeys[0]] },
    ];
    const { ask } = await serveControl({ sandbox: { users } });
    await ask('POST /sandboxes', { id: 'other', seed: 2, users });
    const replies = [
      await ask('GET ./users/ada/passkeys'),
      await ask('GET ./users/ben/passkeys'),
      await ask('GET /sandboxes/other/users/ada/passkeys'),
    ];
    const sentPasskeys = replies.map(({ body }) => body.passkeys[0]);
    expect(new Set(sentPasskeys.map(({ credential }) => credential.id)).size).toBe(3);
    expect(new Set(sentPasskeys.map(({ userHandle }) => userHandle)).size).toBe(3);
  });

  test('getPasskeys: the list is empty for a user without passkeys', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./users/ada/passkeys')).body).toEqual({ passkeys: [] });
  });

  test.for(['passkeys', 'phone'])('user-not-found: %s of an unknown user is 404', async (what) => {
    const { ask } = await serveControl();
    const { status, body } = await ask(`GET ./users/nobody/${what}`);
    expect([status, body.error.code]).toEqual([404, 'user-not-found']);
  });
});

describe('control API: simulated phone', () => {
  test('getPhone: without a sign-in it shows only the code of the authenticator app', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET ./users/ada/phone');
    expect(body).toMatchObject({ code: null, requests: [], timedCode: { code: expect.stringMatching(/^\d{6}$/) } });
  });

  test('getPhone: a sent code is shown until the sign-in has ended', async () => {
    const { ask, sandbox, id } = await atFactor('sms');
    expect((await ask('GET ./users/ada/phone')).body.code).toBe('654321');
    await sandbox.signIns.completeMfa(id);
    expect((await sandbox.signIns.skip(id)).finished).toBe(true);
    expect((await ask('GET ./users/ada/phone')).body.code).toBeNull();
  });

  test('getPhone: the time-based code follows the virtual clock', async () => {
    const { ask, sandbox } = await atFactor('sms');
    const before = (await ask('GET ./users/ada/phone')).body.timedCode;
    await sandbox.clock.advance({ ms: 29_999 });
    expect((await ask('GET ./users/ada/phone')).body.timedCode.code).toBe(before.code);
    await sandbox.clock.advance({ ms: 1 });
    expect((await ask('GET ./users/ada/phone')).body.timedCode.code).not.toBe(before.code);
  });

  test('answerPush: a push notification is approved with or without a number, and disappears from the phone', async () => {
    const { ask, sandbox, id } = await atFactor('authenticator-push');
    const { requests } = (await ask('GET ./users/ada/phone')).body;
    expect(requests).toEqual([{ signIn: id, number: sandbox.signIns.view(id).push?.number }]);
    const { status, body } = await ask(`POST ./sign-ins/${id}/push`, { approve: true, number: requests[0].number });
    expect([status, body.push.answer]).toEqual([200, 'approved']);
    expect((await ask('GET ./users/ada/phone')).body.requests).toEqual([]);
    const other = await atFactor('authenticator-push');
    expect((await other.ask(`POST ./sign-ins/${other.id}/push`, { approve: true })).body.push.answer).toBe('approved');
  });

  test('answerPush: a wrong number is rejected and reported, and the push notification remains', async () => {
    const { ask, sandbox, id } = await atFactor('authenticator-push');
    const { status, body } = await ask(`POST ./sign-ins/${id}/push`, { approve: true, number: 'xx' });
    expect([status, body.error.code]).toEqual([400, 'bad-request']);
    expect(sandbox.signIns.view(id).push?.answer).toBe('waiting');
  });

  test('answerPush: a denied push notification can no longer be approved', async () => {
    const { ask, id } = await atFactor('authenticator-push');
    expect((await ask(`POST ./sign-ins/${id}/push`, { approve: false })).body.push.answer).toBe('denied');
    const { status, body } = await ask(`POST ./sign-ins/${id}/push`, { approve: true });
    expect([status, body.error.code]).toEqual([409, 'unexpected-screen']);
  });

  test.for([{}, { approve: 'yes' }, { approve: true, more: 1 }, []])(
    'bad-request: %j is not a valid response to a push notification',
    async (body) => {
      const { ask, sandbox, id } = await atFactor('authenticator-push');
      expect((await ask(`POST ./sign-ins/${id}/push`, body)).body.error.code).toBe('bad-request');
      expect(sandbox.signIns.view(id).push?.answer).toBe('waiting');
    },
  );

  test('unexpected-screen: a sign-in without a push notification is rejected, and so is an unknown sign-in', async () => {
    const { ask, id } = await atFactor('sms');
    expect((await ask(`POST ./sign-ins/${id}/push`, { approve: true })).body.error.code).toBe('unexpected-screen');
    expect((await ask('POST ./sign-ins/s999/push', { approve: true })).body.error.code).toBe('sign-in-not-found');
  });
});

describe('control API: explain', () => {
  test('A41: after the browser is closed, explain reports the result of the next sign-in', async () => {
    const tenant = campaignFor('vendorAuthenticator', { snoozeDurationInDays: 2 });
    const { ask, sandboxes } = await serveControl({
      sandbox: { tenant, users: [{ id: 'ada', snooze: { count: 2 } }] },
    });
    const sandbox = sandboxes.get('default');
    const signIn = async () => {
      const { id } = await sandbox.signIns.start('ada');
      await sandbox.signIns.acceptPassword(id);
      return (await sandbox.signIns.completeMfa(id)).id;
    };
    const explained = async () => {
      const { outcome, reason } = (await ask('POST ./explain', { user: 'ada' })).body;
      return [outcome, reason];
    };
    const id = await signIn();
    expect(await explained()).toEqual(['skippable', null]);
    await sandbox.signIns.leave(id);
    expect(await explained()).toEqual(['none', 'snoozed']);
    await ask('POST ./clock/advance', { days: 2 });
    expect(await explained()).toEqual(['required', null]);
    expect(sandbox.signIns.view(await signIn()).outcome).toBe('required');
  });
});

describe('control API: branding of a tenant', () => {
  const branding = { name: 'Tide', color: '#0a7a5a', logo: 'data:image/png;base64,AAAA' };

  test('settings: name, color and logo are stored', async () => {
    const { ask } = await serveControl();
    expect((await ask('PATCH ./tenant/settings', { branding })).status).toBe(200);
    expect((await ask('GET ./tenant/settings')).body).toMatchObject({ branding });
  });

  test.for([
    { color: 'red' },
    { color: '#fff' },
    { color: '#12345g' },
    { color: '#123456;}body{display:none' },
    { color: '#123456\n' },
    { logo: 'https://evil.example/logo.png' },
    { logo: 'javascript:alert(1)' },
    { logo: 'data:text/html;base64,AAAA' },
    { logo: 'data:image/png;base64,AA" onerror="alert(1)' },
    { logo: 'data:image/svg+xml,<svg onload=alert(1)>' },
    { logo: `data:image/png;base64,${'A'.repeat(65_537)}` },
    { name: '' },
    { name: 'n'.repeat(65) },
    { font: 'serif' },
  ])('bad-request: the branding %.60j is rejected, and the previous one is unchanged', async (wrong) => {
    const { ask } = await serveControl();
    await ask('PATCH ./tenant/settings', { branding });
    const { status, body } = await ask('PATCH ./tenant/settings', { branding: { ...branding, ...wrong } });
    expect([status, body.error.code]).toEqual([400, 'bad-request']);
    expect((await ask('GET ./tenant/settings')).body).toMatchObject({ branding });
  });
});
