import { afterEach, describe, expect, test } from 'vitest';
import { passkeyTypes } from '../../../machines/vocabulary.ts';
import type { JournalEvent } from '../../../src/journal/journal-event.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

const base = '/users/ada/authentication';
const mobile = '3179e48a-750b-4051-897c-87b9720928f7';
const alternate = 'b6332ec1-7057-4abe-9331-3d72feddfe41';
const office = 'e37fc753-ff3b-4958-9484-eaa9425c82bc';
const password = '28c10230-6103-485e-b985-444c60001490';
const email = '3ddfcfc8-9383-446f-83cc-3ab9be4be18f';

afterEach(() => server.stop());

async function start(user: object = {}, settings: object = {}, tenant: object = {}) {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    settings,
    tenant,
    users: [{ id: 'ada', displayName: 'Ada', methods: [], ...user }],
  });
}

async function send(method: string, path: string, body?: unknown, headers = {}) {
  return server.ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Returns the events after the creation, without their subject. */
async function listEvents(): Promise<readonly object[]> {
  const entries = await server.sandbox.journal({ after: 1, limit: 100 });
  return entries.map(({ event }) => {
    const { userId, caller, ...rest } = event as JournalEvent & { userId?: string; caller?: object };
    expect([userId, caller]).toEqual(['ada', { kind: 'app', id: 'test' }]);
    return rest;
  });
}

async function listIds(): Promise<readonly unknown[]> {
  return server.list(`/beta${base}/methods`);
}

const sms = { type: 'method.removed', method: 'sms' };
const voice = { type: 'method.removed', method: 'voice' };

describe('removals', () => {
  const phones = { mobile: '+1 2', alternateMobile: '+1 3', office: '+1 4' };

  test.for<[string, object, string, readonly object[]]>([
    ['the mobile phone', { methods: ['sms'] }, `phoneMethods/${mobile}`, [sms]],
    ['the mobile phone with calls', { methods: ['sms', 'voice'] }, `phoneMethods/${mobile}`, [sms, voice]],
    [
      'the mobile phone next to an office phone',
      { methods: ['sms', 'voice'], directory: { phones: { office: '+1 4' } } },
      `phoneMethods/${mobile}`,
      [sms],
    ],
    ['the office phone', { methods: ['voice'] }, `phoneMethods/${office}`, [voice]],
    [
      'the office phone next to a mobile phone',
      { methods: ['sms', 'voice'], directory: { phones } },
      `phoneMethods/${office}`,
      [{ type: 'user.directoryChanged', directory: { phones: { mobile: '+1 2', alternateMobile: '+1 3' } } }],
    ],
    [
      'the alternate phone',
      { methods: ['sms', 'voice'], directory: { phones } },
      `phoneMethods/${alternate}`,
      [{ type: 'user.directoryChanged', directory: { phones: { mobile: '+1 2', office: '+1 4' } } }],
    ],
    [
      'the app',
      { methods: ['authenticator-push'] },
      'vendorAuthenticatorMethods/ada:authenticator-push',
      [{ type: 'method.removed', method: 'authenticator-push' }],
    ],
    [
      'codes of an app',
      { methods: ['authenticator-totp'] },
      'softwareOathMethods/ada:authenticator-totp',
      [{ type: 'method.removed', method: 'authenticator-totp' }],
    ],
    [
      'codes of a token',
      { methods: ['hardware-totp'] },
      'hardwareOathMethods/ada:hardware-totp',
      [{ type: 'method.removed', method: 'hardware-totp' }],
    ],
    [
      'a passkey',
      {
        passkeys: [
          { type: 'keychain', deviceId: 'm' },
          { type: 'security-key', deviceId: 'k' },
        ],
      },
      'fido2Methods/ada:security-key:k',
      [{ type: 'passkey.removed', place: 1 }],
    ],
    [
      'a Windows key',
      { passkeys: [{ type: 'windows-hello-for-business', deviceId: 'pc' }] },
      'windowsHelloForBusinessMethods/ada:windows-hello-for-business:pc',
      [{ type: 'passkey.removed', place: 0 }],
    ],
    [
      'a platform credential',
      { passkeys: [{ type: 'mac-platform-sso', deviceId: 'm' }] },
      'platformCredentialMethods/ada:mac-platform-sso:m',
      [{ type: 'passkey.removed', place: 0 }],
    ],
    [
      'the email address',
      { directory: { email: 'a@b.test', jobTitle: 'x' } },
      `emailMethods/${email}`,
      [{ type: 'user.directoryChanged', directory: { jobTitle: 'x' } }],
    ],
    [
      'the temporary access pass',
      {
        directory: {
          temporaryAccessPass: {
            createdDateTime: '2026-01-05T09:00:00Z',
            startDateTime: '2026-01-05T09:00:00Z',
            lifetimeInMinutes: 60,
            isUsableOnce: false,
          },
        },
      },
      'temporaryAccessPassMethods/ada:temporaryAccessPass',
      [{ type: 'user.directoryChanged', directory: {} }],
    ],
  ])('DIR63: DELETE of %s', async ([, user, path, wanted]) => {
    await start(user);
    const before = await listIds();
    const removed = await send('DELETE', `/beta${base}/${path}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await listEvents()).toEqual(wanted);
    const id = decodeURIComponent(path.split('/')[1] ?? '');
    expect(await listIds()).toEqual(before.filter((one) => one !== id));
    expect((await send('DELETE', `/beta${base}/${path}`)).status).toBe(404);
    expect(server.sandbox.entryCount).toBe(1 + wanted.length);
  });

  test('DIR61: the mobile phone stays while an alternate one exists, and the password always', async () => {
    await start({ methods: ['sms', 'voice'], directory: { phones } });
    const kept = await send('DELETE', `/v1.0${base}/phoneMethods/${mobile}`);
    expect([kept.status, kept.body.error?.message]).toEqual([400, expect.stringContaining('alternate')]);
    expect((await send('DELETE', `/v1.0${base}/passwordMethods/${password}`)).status).toBe(405);
    expect((await send('DELETE', `/v1.0${base}/vendorAuthenticatorMethods/none`)).status).toBe(404);
    expect((await send('DELETE', `/v1.0${base}/hardwareOathMethods/x`)).status).toBe(404);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test.for<[string, string, object, (at: DirectoryServer) => Promise<unknown>]>([
    [
      'the app',
      'vendorAuthenticatorMethods/ada:authenticator-push',
      {},
      ({ sandbox }) => sandbox.directory.removeMethod('ada', 'authenticator-push'),
    ],
    ['a passkey', 'fido2Methods/ada:keychain:m', {}, ({ sandbox }) => sandbox.securityInfo.removePasskey('ada', 0)],
    ['the mobile phone', `phoneMethods/${mobile}`, {}, ({ sandbox }) => sandbox.directory.removeMethod('ada', 'sms')],
  ])('R7, A3, A38: removing %s by the API gives the same state as on the page', async ([, path, , removeOnPage]) => {
    const user = {
      methods: ['sms', 'authenticator-push'],
      passkeys: [{ type: 'keychain', deviceId: 'm' }],
      snooze: { count: 2, snoozedAtMs: Date.UTC(2026, 0, 5, 8) },
    };
    await start(user);
    await removeOnPage(server);
    const onPage = { user: server.sandbox.directory.user('ada'), situation: server.sandbox.situation('ada') };
    await server.stop();
    await start(user);
    expect((await send('DELETE', `/v1.0${base}/${path}`)).status).toBe(204);
    expect({ user: server.sandbox.directory.user('ada'), situation: server.sandbox.situation('ada') }).toEqual(onPage);
    expect(server.sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 2 });
  });
});

describe('additions', () => {
  const number = '+1 2065550100';
  const added = (method: string) => ({ type: 'method.added', method });
  const numbers = (phones: object) => ({ type: 'user.directoryChanged', directory: { phones } });

  test.for<[string, object, object, string, readonly object[]]>([
    [
      'a mobile phone',
      {},
      { phoneType: 'mobile' },
      mobile,
      [numbers({ mobile: number }), added('sms'), added('voice')],
    ],
    ['an office phone', {}, { phoneType: 'office' }, office, [numbers({ office: number }), added('voice')]],
    [
      'an alternate phone',
      { methods: ['sms'], directory: { phones: { mobile: '+1 1' } } },
      { phoneType: 'alternateMobile' },
      alternate,
      [numbers({ mobile: '+1 1', alternateMobile: number }), added('voice')],
    ],
    [
      'an office phone next to a mobile one',
      { methods: ['sms', 'voice'] },
      { phoneType: 'office' },
      office,
      [numbers({ office: number })],
    ],
    [
      'a mobile phone next to an office one',
      { methods: ['voice'], directory: { phones: { office: '+1 4' } } },
      { phoneType: 'mobile' },
      mobile,
      [numbers({ office: '+1 4', mobile: number }), added('sms')],
    ],
  ])('DIR61: POST of %s', async ([, user, body, id, wanted]) => {
    await start(user);
    const before = await listIds();
    const path = `/v1.0${base}/phoneMethods`;
    const reply = await send('POST', path, { phoneNumber: number, ...body });
    expect([reply.status, reply.headers.get('location')]).toEqual([201, `${server.url}${path}/${id}`]);
    expect(reply.body).toMatchObject({ id, phoneNumber: number, ...body });
    expect(reply.body['@odata.context']).toContain("users('ada')/authentication/phoneMethods/$entity");
    expect(await listEvents()).toEqual(wanted);
    expect(new Set(await listIds())).toEqual(new Set([...before, id]));
    expect((await send('POST', path, { phoneNumber: number, ...body })).status).toBe(400);
  });

  test.for<[string, unknown]>([
    ['a second phone of the type', { phoneNumber: number, phoneType: 'mobile' }],
    ['a number without a country code', { phoneNumber: '2065550100', phoneType: 'office' }],
    ['a number without a blank', { phoneNumber: '+12065550100', phoneType: 'office' }],
    ['a number with letters', { phoneNumber: '+1 20655501AB', phoneType: 'office' }],
    ['an unknown type', { phoneNumber: number, phoneType: 'home' }],
    ['a missing type', { phoneNumber: number }],
    ['an unknown property', { phoneNumber: number, phoneType: 'office', extra: 1 }],
    ['the type of another method', { phoneNumber: number, phoneType: 'office', '@odata.type': '#graph.emailMethod' }],
    ['a list', []],
  ])('400: POST of a phone with %s changes nothing', async ([, body]) => {
    await start({ methods: ['sms'] });
    const reply = await send('POST', `/v1.0${base}/phoneMethods`, body);
    expect([reply.status, server.sandbox.entryCount]).toEqual([400, 1]);
  });

  test('400: an alternate phone requires a mobile one', async () => {
    await start({ methods: ['voice'] });
    const reply = await send('POST', `/v1.0${base}/phoneMethods`, {
      phoneNumber: number,
      phoneType: 'alternateMobile',
    });
    expect([reply.status, server.sandbox.entryCount]).toEqual([400, 1]);
  });

  test('DIR8: the type of a body is optional, and compared without case and in any namespace', async () => {
    await start();
    for (const [phoneType, type] of nonEmpty([
      ['mobile', '#graph.phoneAuthenticationMethod'],
      ['office', '#MICROSOFT.graph.PHONEauthenticationmethod'],
    ])) {
      const body = { '@odata.type': type, phoneNumber: `${number}x12`, phoneType };
      expect((await send('POST', `/v1.0${base}/phoneMethods`, body)).status).toBe(201);
    }
  });

  test('DIR61: POST of an email address, and of a second one', async () => {
    await start({ directory: { jobTitle: 'x' } });
    const path = `/v1.0${base}/emailMethods`;
    const reply = await send('POST', path, { emailAddress: 'ada@home.test' }, { prefer: 'return=minimal' });
    expect([reply.status, reply.text, reply.headers.get('preference-applied')]).toEqual([204, '', 'return=minimal']);
    expect(reply.headers.get('location')).toBe(`${server.url}${path}/${email}`);
    expect(await listEvents()).toEqual([
      { type: 'user.directoryChanged', directory: { jobTitle: 'x', email: 'ada@home.test' } },
    ]);
    expect((await send('POST', path, { emailAddress: 'b@home.test' })).status).toBe(400);
    expect((await send('POST', path, { emailAddress: 'no address' })).status).toBe(400);
    expect((await send('POST', `/v1.0${base}/vendorAuthenticatorMethods`, {})).status).toBe(405);
  });

  test('DIR62: a method has the time of its entry, and keeps it when another one is added', async () => {
    await start({ methods: ['authenticator-totp'], passkeys: [{ type: passkeyTypes[0], deviceId: 'a' }] });
    await server.sandbox.clock.advance({ minutes: 20 });
    await send('POST', `/v1.0${base}/phoneMethods`, { phoneNumber: number, phoneType: 'mobile' });
    await server.sandbox.clock.advance({ minutes: 20 });
    await server.sandbox.directory.patchUser('ada', {
      passkeys: [
        { type: 'keychain', deviceId: 'b' },
        { type: passkeyTypes[0], deviceId: 'a' },
      ],
    });
    const { body } = await server.ask(`/beta${base}/methods`);
    expect(body.value?.map(({ id, createdDateTime }) => [id, createdDateTime])).toEqual([
      [password, '2026-01-05T09:00:00.000Z'],
      [mobile, '2026-01-05T09:20:00.000Z'],
      ['ada:keychain:b', '2026-01-05T09:40:00.000Z'],
      ['ada:authenticator-totp', '2026-01-05T09:00:00.000Z'],
      [`ada:${passkeyTypes[0]}:a`, '2026-01-05T09:00:00.000Z'],
    ]);
  });

  test('DIR65: a temporary access pass requires an enabled configuration', async () => {
    await start();
    const reply = await send('POST', `/v1.0${base}/temporaryAccessPassMethods`, { lifetimeInMinutes: 60 });
    expect([reply.status, server.sandbox.entryCount]).toEqual([400, 1]);
  });
});

describe('settings of a user', () => {
  test('DIR66: preferences and requirements are stored in the profile, and only /beta has them', async () => {
    await start({ methods: ['sms'] });
    const preferences = `${base}/signInPreferences`;
    expect((await server.ask(`/v1.0${preferences}`)).status).toBe(404);
    expect((await server.ask(`/beta${preferences}`)).body).toEqual({
      '@odata.context': `${server.url}/beta/$metadata#users('ada')/authentication/signInPreferences`,
      isSystemPreferredAuthenticationMethodEnabled: true,
      userPreferredMethodForSecondaryAuthentication: 'sms',
    });
    const change = { userPreferredMethodForSecondaryAuthentication: 'push' };
    expect((await send('PATCH', `/beta${preferences}`, change)).status).toBe(204);
    expect((await send('PATCH', `/beta${preferences}`, change)).status).toBe(204);
    const shown = await send(
      'PATCH',
      `/beta${preferences}`,
      { isSystemPreferredAuthenticationMethodEnabled: false },
      { prefer: 'return=representation' },
    );
    expect([shown.status, shown.body['isSystemPreferredAuthenticationMethodEnabled']]).toEqual([200, false]);
    const requirements = `/beta${base}/requirements`;
    expect((await server.ask(requirements)).body['perUserMfaState']).toBe('disabled');
    expect((await send('PATCH', requirements, { perUserMfaState: 'enforced' })).status).toBe(204);
    expect((await server.ask(requirements)).body['perUserMfaState']).toBe('enforced');
    expect(server.sandbox.directory.user('ada').directory).toEqual({
      preferredMethod: 'push',
      isSystemPreferredAuthenticationMethodEnabled: false,
      perUserMfaState: 'enforced',
    });
    expect(await listEvents()).toHaveLength(3);
    for (const [path, body] of nonEmpty<[string, object]>([
      [requirements, { perUserMfaState: 'on' }],
      [requirements, {}],
      [`/beta${preferences}`, { userPreferredMethodForSecondaryAuthentication: 'none' }],
      [`/beta${preferences}`, { isSystemPreferredAuthenticationMethodEnabled: 'true' }],
    ])) {
      expect((await send('PATCH', path, body)).status).toBe(400);
    }
  });

  test('DIR67: resetting a password returns 501, and paths below me are those of the own user', async () => {
    await start({ methods: ['sms'] });
    const reset = await send('POST', `/v1.0${base}/passwordMethods/${password}/resetPassword`, {});
    expect([reset.status, reset.body.error?.code]).toEqual([501, 'notImplemented']);
    const own = { user: 'ada', permissions: ['UserAuthenticationMethod.ReadWrite'] };
    const headers = { authorization: `Bearer ${await server.token(own)}` };
    const list = await server.ask('/v1.0/me/authentication/phoneMethods', { headers });
    expect(list.body.value?.map(({ id }) => id)).toEqual([mobile]);
    const path = `/v1.0/me/authentication/phoneMethods/${mobile}`;
    expect((await send('DELETE', path, undefined, headers)).status).toBe(204);
    const [, entry] = await server.sandbox.journal({ after: 0, limit: 2 });
    expect(entry?.event).toMatchObject({ type: 'method.removed', caller: { kind: 'user', id: 'ada' } });
  });
});
