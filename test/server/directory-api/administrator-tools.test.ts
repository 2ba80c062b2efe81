import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DirectoryServer, eventual } from './directory-server.ts';

/** Calls of public administration programs on methods and reports, as recorded, and what the programs read from them. */
let server: DirectoryServer;

const ada = '11111111-2222-4333-8444-555555555555';
const bob = '21111111-2222-4333-8444-555555555555';

beforeAll(async () => {
  server = await DirectoryServer.start({
    settings: { dialect: 'entra', directory: { sspr: { state: 'all' } } },
    users: [
      {
        id: ada,
        userPrincipalName: 'ada@contoso.test',
        methods: ['sms', 'voice', 'authenticator-push', 'authenticator-totp'],
        passkeys: [
          { type: 'security-key', deviceId: 'key' },
          { type: 'windows-hello-for-business', deviceId: 'pc' },
        ],
        roles: ['Global Administrator'],
        directory: { email: 'ada@home.test' },
      },
      { id: bob, userPrincipalName: 'bob@contoso.test', methods: [], mfaCapable: false, roles: ['Own Role'] },
    ],
  });
});

afterAll(() => server.stop());

interface BatchPart {
  readonly id: string;
  readonly status: number;
  readonly body?: { readonly value?: readonly Readonly<Record<string, unknown>>[] };
}

async function batch(requests: readonly object[]): Promise<readonly BatchPart[]> {
  const { body } = await server.ask('/beta/$batch', { method: 'POST', body: { requests } });
  return (body['responses'] ?? []) as readonly BatchPart[];
}

describe('recorded calls of public programs', () => {
  test('CIPP: Remove-CIPPUserMFA removes every method but the password, by the name of its type', async () => {
    await server.sandbox.directory.putUser('temp', {
      methods: ['sms', 'authenticator-push', 'authenticator-totp'],
      passkeys: [{ type: 'security-key', deviceId: 'key' }],
      directory: { email: 'temp@home.test' },
    });
    const listed = await server.ask('/beta/users/temp@example.test/authentication/methods');
    const found = (listed.body.value ?? []).filter(
      (method) => method['@odata.type'] !== '#microsoft.graph.passwordAuthenticationMethod',
    );
    expect(found).toHaveLength(5);
    const parts = await batch(
      found.map((method, index) => {
        // The program cuts the namespace and `Authentication` out of the type, and adds an s.
        const type = String(method['@odata.type']).split('.').at(-1)?.replace('Authentication', '') ?? '';
        return {
          id: String(index),
          method: 'DELETE',
          url: `users/temp@example.test/authentication/${type}s/${encodeURIComponent(String(method['id']))}`,
        };
      }),
    );
    expect(parts.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    const after = await server.list('/beta/users/temp@example.test/authentication/methods');
    expect(after).toEqual(['28c10230-6103-485e-b985-444c60001490']);
    await server.sandbox.directory.removeUser('temp');
  });

  test('CIPP: the report of administrators without MFA', async () => {
    const { status, body } = await server.ask(
      "/beta/reports/authenticationMethods/userRegistrationDetails?$top=999&filter=IsAdmin eq true and isMfaRegistered eq false and userType eq 'member'&$select=id,userDisplayName,userPrincipalName,isAdmin,isMfaRegistered,isMfaCapable,methodsRegistered,lastUpdatedDateTime",
    );
    expect(status).toBe(200);
    expect(body.value?.map((row) => [row['userPrincipalName'], row['isMfaRegistered']])).toEqual([
      ['bob@contoso.test', false],
    ]);
  });

  test('CIPP: a temporary access pass that the policy does not allow is rejected with a message', async () => {
    const { status, body } = await server.ask(`/beta/users/${ada}/authentication/temporaryAccessPassMethods`, {
      method: 'POST',
      body: { isUsableOnce: true, lifetimeInMinutes: 60 },
    });
    expect([status, typeof body.error?.message]).toEqual([400, 'string']);
  });

  test('Maester: methods of a user, and selected fields of the report, with ConsistencyLevel on everything', async () => {
    const headers = eventual;
    const methods = await server.ask(`/beta/users/${ada}/authentication/methods`, { headers });
    const types = methods.body.value?.map((method) => method['@odata.type']) ?? [];
    expect(types).toContain('#microsoft.graph.microsoftAuthenticatorAuthenticationMethod');
    expect(types).toContain('#microsoft.graph.fido2AuthenticationMethod');
    const report = await server.ask(
      '/v1.0/reports/authenticationMethods/userRegistrationDetails?$select=id,isAdmin,methodsRegistered,userPreferredMethodForSecondaryAuthentication',
      { headers },
    );
    expect(report.body.value?.[0]).toEqual({
      id: ada,
      isAdmin: true,
      methodsRegistered: [
        'mobilePhone',
        'microsoftAuthenticatorPush',
        'softwareOneTimePasscode',
        'email',
        'windowsHelloForBusiness',
        'passKeyDeviceBound',
      ],
      userPreferredMethodForSecondaryAuthentication: 'sms',
    });
  });

  test('MSIdentityTools: one row, and 404 in the body for an unknown user', async () => {
    const path = '/v1.0/reports/authenticationMethods/userRegistrationDetails';
    expect((await server.ask(`${path}/${ada}`)).body).toMatchObject({ id: ada, isMfaRegistered: true });
    const parts = await batch([
      { id: '1', method: 'GET', url: `/users/${ada}/authentication/methods` },
      { id: '2', method: 'GET', url: '/reports/authenticationMethods/userRegistrationDetails/none' },
    ]);
    expect(parts.map(({ id, status }) => [id, status])).toEqual([
      ['1', 200],
      ['2', 404],
    ]);
  });

  test('nathanmcnulty: the report by method, the preferences, the requirements, and the options of a passkey', async () => {
    const report = await server.ask(
      "/beta/reports/authenticationMethods/userRegistrationDetails?$filter=methodsRegistered/any(i:i eq 'mobilePhone')&$select=userPrincipalName",
    );
    expect(report.body.value).toEqual([{ userPrincipalName: 'ada@contoso.test' }]);
    const at = `/beta/users/${bob}/authentication`;
    const preference = { userPreferredMethodForSecondaryAuthentication: 'push' };
    const patched = await server.ask(`${at}/signInPreferences`, { method: 'PATCH', body: preference });
    expect(patched.status).toBe(204);
    expect((await server.ask(`${at}/signInPreferences`)).body).toMatchObject(preference);
    const requirement = { perUserMfaState: 'disabled' };
    expect((await server.ask(`${at}/requirements`, { method: 'PATCH', body: requirement })).status).toBe(204);
    const options = await server.ask(`${at}/fido2Methods/creationOptions(challengeTimeoutInMinutes=10)`);
    expect(options.body).toMatchObject({ publicKey: { rp: { id: 'localhost' }, attestation: 'direct' } });
  });

  test('EntraExporter: usersRegisteredByFeature in a batch with ConsistencyLevel', async () => {
    const parts = await batch([
      {
        id: '1',
        method: 'GET',
        url: '/reports/authenticationMethods/microsoft.graph.usersRegisteredByFeature()',
        headers: eventual,
      },
    ]);
    expect(parts).toMatchObject([
      {
        status: 200,
        body: {
          totalUserCount: 2,
          userRegistrationFeatureCounts: [
            { feature: 'ssprRegistered', userCount: 1 },
            { feature: 'ssprEnabled', userCount: 2 },
            { feature: 'ssprCapable', userCount: 1 },
            { feature: 'passwordlessCapable', userCount: 1 },
            { feature: 'mfaCapable', userCount: 1 },
          ],
        },
      },
    ]);
  });

  test('CLI for Microsoft 365: the report with any, eq and or, without annotations', async () => {
    const { headers, body } = await server.ask(
      "/v1.0/reports/authenticationMethods/userRegistrationDetails?$select=userPrincipalName&$filter=isAdmin eq true and (methodsRegistered/any(m:m eq 'microsoftAuthenticatorPush') or methodsRegistered/any(m:m eq 'email')) and (userPrincipalName eq 'ada%40contoso.test' or userPrincipalName eq 'x')",
      { headers: { accept: 'application/json;odata.metadata=none', 'odata-version': '4.0' } },
    );
    expect(headers.get('content-type')).toContain('odata.metadata=none');
    expect(body).toEqual({ value: [{ userPrincipalName: 'ada@contoso.test' }] });
  });
});
