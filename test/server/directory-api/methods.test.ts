import { afterEach, describe, expect, test } from 'vitest';
import { passkeyTypes, registeredMethods } from '../../../machines/vocabulary.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

const nowMs = Date.UTC(2026, 0, 5, 9);
const created = '2026-01-05T09:00:00.000Z';
const later = '2026-01-05T10:00:00.000Z';
const base = '/users/ada/authentication';
const mobile = '3179e48a-750b-4051-897c-87b9720928f7';
const alternate = 'b6332ec1-7057-4abe-9331-3d72feddfe41';
const office = 'e37fc753-ff3b-4958-9484-eaa9425c82bc';
const password = '28c10230-6103-485e-b985-444c60001490';
const email = '3ddfcfc8-9383-446f-83cc-3ab9be4be18f';

afterEach(() => server.stop());

async function start(user: object, settings: object = {}) {
  server = await DirectoryServer.start({
    clock: { nowMs, running: false },
    settings,
    users: [
      { id: 'ada', displayName: 'Ada', methods: [], ...user },
      { id: 'gus', type: 'guest', methods: ['sms'] },
    ],
  });
}

describe('methods of a user', () => {
  test('DIR60: the list contains every type with its properties and the type of each item', async () => {
    await start({
      methods: registeredMethods,
      passkeys: passkeyTypes.map((type) => ({ type, deviceId: 'laptop' })),
      directory: {
        email: 'ada@home.test',
        phones: { alternateMobile: '+44 20700000', mobile: '+1 2065550100', office: '+1 2065550199' },
      },
    });
    const { body } = await server.ask(`/beta${base}/methods`);
    expect(body['@odata.context']).toBe(`${server.url}/beta/$metadata#users('ada')/authentication/methods`);
    expect(body.value?.map((method) => method['@odata.type'])).toEqual([
      '#graph.passwordAuthenticationMethod',
      '#graph.phoneAuthenticationMethod',
      '#graph.phoneAuthenticationMethod',
      '#graph.phoneAuthenticationMethod',
      '#graph.emailAuthenticationMethod',
      ...Array.from({ length: 6 }, () => '#graph.fido2AuthenticationMethod'),
      '#graph.vendorAuthenticatorAuthenticationMethod',
      '#graph.softwareOathAuthenticationMethod',
      '#graph.hardwareOathAuthenticationMethod',
      '#graph.windowsHelloForBusinessAuthenticationMethod',
      '#graph.platformCredentialAuthenticationMethod',
    ]);
    const first = (await server.ask(`/v1.0${base}/methods`)).body.value ?? [];
    expect(first).toHaveLength(15);
    expect(first.map((method) => method['@odata.type'])).not.toContain('#graph.hardwareOathAuthenticationMethod');
  });

  test.for<[string, object, string, readonly object[]]>([
    ['passwordMethods', {}, 'v1.0', [{ id: password, createdDateTime: created, password: null }]],
    [
      'phoneMethods',
      { methods: ['sms'] },
      'v1.0',
      [
        {
          id: mobile,
          createdDateTime: created,
          phoneNumber: expect.stringMatching(/^\+1 55501\d{5}$/),
          phoneType: 'mobile',
          smsSignInState: 'notAllowedByPolicy',
        },
      ],
    ],
    ['phoneMethods', { methods: ['sms', 'voice'] }, 'v1.0', [{ id: mobile, phoneType: 'mobile' }]],
    ['phoneMethods', { methods: ['voice'] }, 'v1.0', [{ id: office, phoneType: 'office' }]],
    [
      'phoneMethods',
      { methods: ['sms', 'voice'], directory: { phones: { alternateMobile: '+1 555' } } },
      'v1.0',
      [{ id: mobile }, { id: alternate, phoneNumber: '+1 555', phoneType: 'alternateMobile' }],
    ],
    [
      'emailMethods',
      { directory: { email: 'a@b.test' } },
      'v1.0',
      [{ id: email, createdDateTime: created, emailAddress: 'a@b.test' }],
    ],
    [
      'vendorAuthenticatorMethods',
      { methods: ['authenticator-push'] },
      'v1.0',
      [
        {
          id: 'ada:authenticator-push',
          createdDateTime: null,
          displayName: 'Phone',
          deviceTag: 'SoftwareTokenActivated',
          phoneAppVersion: '6.8',
        },
      ],
    ],
    ['vendorAuthenticatorMethods', { methods: ['authenticator-push'] }, 'beta', [{ createdDateTime: created }]],
    [
      'softwareOathMethods',
      { methods: ['authenticator-totp'] },
      'v1.0',
      [{ id: 'ada:authenticator-totp', createdDateTime: created, secretKey: null }],
    ],
    [
      'hardwareOathMethods',
      { methods: ['hardware-totp'] },
      'beta',
      [{ id: 'ada:hardware-totp', createdDateTime: created, device: null }],
    ],
    [
      'fido2Methods',
      {
        passkeys: [
          { type: 'security-key', deviceId: 'key' },
          { type: 'keychain', deviceId: 'mac' },
          { type: 'keychain', deviceId: 'mac' },
        ],
      },
      'v1.0',
      [
        {
          id: 'ada:security-key:key',
          createdDateTime: created,
          displayName: 'Test passkey',
          aaGuid: '2fc0579f-8113-47ea-b116-bb5a8db9202a',
          attestationCertificates: [],
          attestationLevel: 'attested',
          model: 'YubiKey 5 with NFC',
          passkeyType: 'deviceBound',
        },
        { id: 'ada:keychain:mac', attestationLevel: 'notAttested', passkeyType: 'synced' },
        { id: 'ada:keychain:mac:2' },
      ],
    ],
    [
      'windowsHelloForBusinessMethods',
      { passkeys: [{ type: 'windows-hello-for-business', deviceId: 'pc' }] },
      'v1.0',
      [
        {
          id: 'ada:windows-hello-for-business:pc',
          createdDateTime: created,
          displayName: 'Test passkey',
          keyStrength: 'normal',
        },
      ],
    ],
    [
      'platformCredentialMethods',
      { passkeys: [{ type: 'mac-platform-sso', deviceId: 'mac' }] },
      'v1.0',
      [{ id: 'ada:mac-platform-sso:mac', displayName: 'Test passkey', keyStrength: 'normal', platform: 'macOS' }],
    ],
    [
      'temporaryAccessPassMethods',
      {
        directory: {
          temporaryAccessPass: {
            createdDateTime: created,
            startDateTime: later,
            lifetimeInMinutes: 60,
            isUsableOnce: true,
          },
        },
      },
      'v1.0',
      [
        {
          id: 'ada:temporaryAccessPass',
          createdDateTime: created,
          startDateTime: later,
          lifetimeInMinutes: 60,
          isUsableOnce: true,
          isUsable: false,
          methodUsabilityReason: 'DisabledByPolicy',
          temporaryAccessPass: null,
        },
      ],
    ],
    ['externalAuthenticationMethods', {}, 'v1.0', []],
  ])('DIR61: GET %s of %j under /%s', async ([collection, user, version, wanted]) => {
    await start(user);
    const { status, body } = await server.ask(`/${version}${base}/${collection}`);
    expect(status).toBe(200);
    expect(body.value).toHaveLength(wanted.length);
    expect(body.value).toMatchObject(wanted);
    expect(body['@odata.context']).toBe(`${server.url}/${version}/$metadata#users('ada')/authentication/${collection}`);
    const rows = body.value ?? [];
    expect(rows.length).toBe(wanted.length);
    for (const row of rows) {
      expect(row).not.toHaveProperty('@odata.type');
      const id = encodeURIComponent(String(row['id']));
      const one = await server.ask(`/${version}${base}/${collection}/${id}`);
      expect(one.body).toEqual({ '@odata.context': expect.stringMatching(/\/\$entity$/), ...row });
      const any = await server.ask(`/${version}${base}/methods/${id}`);
      expect(any.body).toMatchObject({ '@odata.type': expect.stringMatching(/^#graph\.\w+Method$/), ...row });
      expect((await server.ask(`/${version}${base}/methods/${id}`, { method: 'DELETE' })).status).toBe(405);
    }
  });
});
