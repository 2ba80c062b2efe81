import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { policyPermissions } from '../../../src/contract/policy-caller.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer, type Reply } from './directory-server.ts';

/** Dialects with the words that responses have: the prefix of types, and the name of the authenticator app. */
const dialects = [
  { dialect: 'seed', prefix: '#graph.', app: 'vendorAuthenticator' },
  { dialect: 'entra', prefix: '#microsoft.graph.', app: 'microsoftAuthenticator' },
] as const;
type Words = (typeof dialects)[number];

const policy = 'policies/authenticationMethodsPolicy';
const configurations = `${policy}/authenticationMethodConfigurations`;
const group = '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c01';

/** A row of the table of configurations: a field with a valid value, and an invalid one. */
interface Row {
  readonly id: string;
  readonly type: string;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, unknown>>;
  readonly place: string;
  readonly target?: Readonly<Record<string, unknown>>;
  readonly wrongTarget?: Readonly<Record<string, unknown>>;
}

const profileId = '0b0c6bd5-4a4e-4b7a-8a12-5b1c9f4f0a01';
const aaguid = '2fc0579f-8113-47ea-b116-bb5a8db9202a';

const rows: readonly Row[] = [
  {
    id: 'Fido2',
    type: 'fido2',
    patch: {
      isSelfServiceRegistrationAllowed: false,
      keyRestrictions: { isEnforced: true, enforcementType: 'block', aaGuids: [aaguid] },
    },
    wrong: { keyRestrictions: { aaGuids: ['no guid'] } },
    place: 'keyRestrictions.aaGuids[0]',
    target: { allowedPasskeyProfiles: [] },
    wrongTarget: { allowedPasskeyProfiles: [profileId] },
  },
  {
    id: 'VendorAuthenticator',
    type: 'vendorAuthenticator',
    patch: {
      isSoftwareOathEnabled: false,
      featureSettings: { displayAppInformationRequiredState: { state: 'enabled' } },
    },
    wrong: { featureSettings: { displayAppInformationRequiredState: { state: 'on' } } },
    place: 'featureSettings.displayAppInformationRequiredState.state',
    target: { authenticationMode: 'deviceBasedPush' },
    wrongTarget: { authenticationMode: 'voice' },
  },
  {
    id: 'Sms',
    type: 'sms',
    patch: { state: 'disabled' },
    wrong: { state: 'default' },
    place: 'state',
    target: { isUsableForSignIn: true },
    wrongTarget: { isUsableForSignIn: 'yes' },
  },
  {
    id: 'Voice',
    type: 'voice',
    patch: { isOfficePhoneAllowed: true },
    wrong: { isOfficePhoneAllowed: 1 },
    place: 'isOfficePhoneAllowed',
  },
  {
    id: 'Email',
    type: 'email',
    patch: { allowExternalIdToUseEmailOtp: 'enabled' },
    wrong: { allowExternalIdToUseEmailOtp: true },
    place: 'allowExternalIdToUseEmailOtp',
  },
  {
    id: 'SoftwareOath',
    type: 'softwareOath',
    patch: { state: 'disabled' },
    wrong: { includeTargets: {} },
    place: 'includeTargets',
  },
  {
    id: 'HardwareOath',
    type: 'hardwareOath',
    patch: { state: 'disabled' },
    wrong: { excludeTargets: [{ targetType: 'group', id: 'all_users' }] },
    place: 'excludeTargets[0].id',
  },
  {
    id: 'TemporaryAccessPass',
    type: 'temporaryAccessPass',
    patch: { defaultLength: 48, defaultLifetimeInMinutes: 10, minimumLifetimeInMinutes: 10, isUsableOnce: true },
    wrong: { maximumLifetimeInMinutes: 43_201 },
    place: 'maximumLifetimeInMinutes',
  },
  {
    id: 'X509Certificate',
    type: 'x509Certificate',
    patch: { certificateUserBindings: [{ x509CertificateField: 'RFC822Name', priority: 2 }] },
    wrong: { certificateUserBindings: 'none' },
    place: 'certificateUserBindings',
  },
  {
    id: 'QRCodePin',
    type: 'qrCodePin',
    patch: { pinLength: 20, standardQRCodeLifetimeInDays: 1 },
    wrong: { pinLength: 7 },
    place: 'pinLength',
  },
  {
    id: 'VerifiableCredentials',
    type: 'verifiableCredentials',
    patch: { state: 'enabled' },
    wrong: { unknown: 1 },
    place: 'unknown',
    target: { verifiedIdProfiles: ['a'] },
    wrongTarget: { verifiedIdProfiles: 'a' },
  },
];

describe.for(dialects)('method configurations in the dialect $dialect', (words) => {
  let server: DirectoryServer;
  let authorization: string;

  beforeAll(async () => {
    server = await DirectoryServer.start({ settings: { dialect: words.dialect } });
    const token = await server.token({ app: 'tool', permissions: Object.values(policyPermissions) });
    authorization = `Bearer ${token}`;
  });
  afterAll(() => server.stop());

  function send(path: string, method = 'GET', body?: unknown, headers = {}): Promise<Reply> {
    return server.ask(`/beta/${path}`, { method, body, headers: { authorization, ...headers } });
  }

  function toWire(name: string): string {
    return name.replace('vendorAuthenticator', words.app);
  }

  test.for(nonEmpty(rows))('DIR51 $id: GET, PATCH of a field and of a target, and DELETE', async (row) => {
    const { id, patch, target = {} } = row;
    const wireId = id === 'VendorAuthenticator' ? capital(words) : id;
    const type = `${words.prefix}${toWire(row.type)}AuthenticationMethodConfiguration`;
    const path = `${configurations}/${wireId}`;
    const before = await send(path);
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({ '@odata.type': type, id: wireId });
    expect(before.body['@odata.context']).toBe(`${server.url}/beta/$metadata#${configurations}/$entity`);
    const includeTargets = [{ targetType: 'group', id: group, ...target }];
    const changed = await send(path, 'PATCH', { '@odata.type': type, ...patch, includeTargets });
    expect([changed.status, changed.text]).toEqual([204, '']);
    const { body: after } = await send(`${configurations}('${wireId.toLowerCase()}')`);
    expect(after).toMatchObject({
      ...patch,
      id: wireId,
      includeTargets: [{ ...includeTargets[0], isRegistrationRequired: false }],
    });
    const { body: listed } = await send(configurations);
    expect(listed.value?.find((one) => one['id'] === wireId)).toMatchObject(patch);
    const { body: whole } = await send(policy);
    const inPolicy = whole['authenticationMethodConfigurations'] as readonly Record<string, unknown>[];
    expect(inPolicy.find((one) => one['id'] === wireId)).toMatchObject(patch);
    // The tool sends back what it has read: nothing changes, and nothing is recorded.
    const { seq } = server.sandbox.directoryRequests.view;
    expect((await send(path, 'PATCH', after)).status).toBe(204);
    expect(server.sandbox.directoryRequests.view.seq).toBe(seq);
    expect((await send(path, 'DELETE')).status).toBe(204);
    const { '@odata.context': _context, ...reset } = (await send(path)).body;
    const { '@odata.context': _other, ...initial } = before.body;
    expect(reset).toEqual(initial);
  });

  test.for(nonEmpty(rows))('DIR52 $id: an invalid value is 400 at $place, and nothing changes', async (row) => {
    const { id, wrong, place, wrongTarget } = row;
    const type = `${words.prefix}${toWire(row.type)}AuthenticationMethodConfiguration`;
    const path = `${configurations}/${id}`;
    const before = (await send(path)).body;
    const bodies: readonly (readonly [object, string])[] = [
      [{ '@odata.type': type, state: 'enabled', ...wrong }, place],
      [{ state: 'enabled' }, '@odata.type'],
      [{ '@odata.type': '#graph.other' }, '@odata.type'],
      [{ '@odata.type': type, id: 'Other' }, 'id'],
      [{ '@odata.type': type, state: null }, 'state'],
      [
        { '@odata.type': type, includeTargets: [{ targetType: 'user', id: 'all_users' }] },
        'includeTargets[0].targetType',
      ],
      ...(wrongTarget === undefined
        ? []
        : ([
            [
              { '@odata.type': type, includeTargets: [{ targetType: 'group', id: group, ...wrongTarget }] },
              `includeTargets[0].${Object.keys(wrongTarget)[0]}`,
            ],
          ] as const)),
    ];
    for (const [body, location] of nonEmpty(bodies)) {
      const reply = await send(path, 'PATCH', body);
      expect([reply.status, reply.body.error?.code], JSON.stringify(body)).toEqual([400, 'badRequest']);
      const details = (reply.body.error as { details?: readonly { target: string }[] }).details ?? [];
      expect(details.map(({ target }) => target)).toContain(location);
    }
    expect((await send(path)).body).toEqual(before);
  });

  test('DIR51 POST adds the configuration of an external method, and DELETE removes it', async () => {
    const type = `${words.prefix}externalAuthenticationMethodConfiguration`;
    const body = {
      '@odata.type': type,
      displayName: 'Acme',
      appId: group,
      openIdConnectSetting: { clientId: 'acme', discoveryUrl: 'https://acme.example/.well-known/openid-configuration' },
      state: 'enabled',
      includeTargets: [{ targetType: 'group', id: 'all_users' }],
    };
    const added = await send(configurations, 'POST', body);
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ ...body, includeTargets: [{ isRegistrationRequired: false }] });
    const location = added.headers.get('location') ?? '';
    expect(location).toBe(`${server.url}/beta/${configurations}/${String(added.body['id'])}`);
    expect((await send(configurations, 'POST', { ...body, id: added.body['id'] })).status).toBe(409);
    const changed = await send(`${configurations}/${String(added.body['id'])}`, 'PATCH', {
      '@odata.type': type,
      displayName: 'Acme 2',
    });
    expect(changed.status).toBe(204);
    expect((await server.ask(location, { headers: { authorization } })).body['displayName']).toBe('Acme 2');
    expect((await send(`${configurations}/${String(added.body['id'])}`, 'DELETE')).status).toBe(204);
    expect((await send(`${configurations}/${String(added.body['id'])}`)).status).toBe(404);
  });

  test.for<[string, object, string]>([
    ['another type', { '@odata.type': '#graph.smsAuthenticationMethodConfiguration' }, '@odata.type'],
    ['an appId that is no GUID', { appId: 'acme' }, 'appId'],
    ['no name', { displayName: undefined }, 'displayName'],
    ['an id that is no GUID', { id: 'Sms' }, 'id'],
  ])('DIR51 POST with %s is 400', async ([, wrong, location]) => {
    const body = { displayName: 'Acme', appId: group, openIdConnectSetting: { clientId: 'a', discoveryUrl: 'b' } };
    const reply = await send(configurations, 'POST', { ...body, ...wrong });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ details: [{ target: location }] });
  });

  test('DIR51 Prefer: return=representation returns the changed configuration', async () => {
    const type = `${words.prefix}voiceAuthenticationMethodConfiguration`;
    const path = `${configurations}/Voice`;
    const reply = await send(
      path,
      'PATCH',
      { '@odata.type': type, isOfficePhoneAllowed: 'true' },
      { prefer: 'return=representation' },
    );
    expect(reply.status).toBe(200);
    expect(reply.headers.get('preference-applied')).toBe('return=representation');
    // DIR52: the text "true" stands for the Boolean.
    expect(reply.body).toMatchObject({ id: 'Voice', isOfficePhoneAllowed: true });
    const etag = reply.headers.get('etag') ?? '';
    const get = await send(path, 'GET', undefined, { 'if-none-match': etag });
    expect(get.status).toBe(304);
    const lost = await send(path, 'PATCH', { '@odata.type': type, state: 'disabled' }, { 'if-match': '"other"' });
    expect(lost.status).toBe(412);
    const kept = await send(path, 'PATCH', { '@odata.type': type, state: 'disabled' }, { 'if-match': etag });
    expect(kept.status).toBe(204);
    expect((await send(path, 'DELETE', undefined, { 'if-match': etag })).status).toBe(412);
    expect((await send(path, 'DELETE')).status).toBe(204);
  });

  test('DIR51 an unknown id is 404, another method is 405, and no JSON is 415', async () => {
    const unknown = await send(`${configurations}/Pigeon`);
    expect(unknown.status).toBe(404);
    expect(unknown.body.error?.message).toContain("'Pigeon'");
    const other = await send(`${configurations}/Sms`, 'PUT', {});
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE, OPTIONS']);
    const text = await send(`${configurations}/Sms`, 'PATCH', {}, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });

  test('access: reading needs one of three permissions, writing what the policy needs', async () => {
    const reader = await server.token({ app: 'reader', permissions: [policyPermissions.readAll] });
    const headers = { authorization: `Bearer ${reader}` };
    expect((await send(configurations, 'GET', undefined, headers)).status).toBe(200);
    expect((await send(`${configurations}/Sms`, 'DELETE', undefined, headers)).status).toBe(403);
    const nobody = await server.token({ app: 'other', permissions: ['User.Read'] });
    expect((await send(configurations, 'GET', undefined, { authorization: `Bearer ${nobody}` })).status).toBe(403);
    expect((await send(configurations, 'GET', undefined, { authorization: '' })).status).toBe(401);
  });

  test('$select and $filter', async () => {
    const { body } = await send(`${configurations}?$select=id&$filter=state eq 'disabled'`);
    expect(body.value?.map(({ id }) => id)).toContain('TemporaryAccessPass');
    expect(Object.keys(body.value?.[0] ?? {})).toEqual(['@odata.type', 'id']);
    expect((await send(`${configurations}?$filter=isUsableOnce eq true`)).status).toBe(400);
  });
});

function capital({ app }: Words): string {
  return `${app.charAt(0).toUpperCase()}${app.slice(1)}`;
}

test('DIR52: If-Match also rejects a PATCH whose body arrives after another change', async () => {
  const server = await DirectoryServer.start();
  onTestFinished(() => server.stop());
  const { directoryRequests, tokens } = server.sandbox;
  const path = `/beta/${configurations}/Sms`;
  const etag = (await server.ask(path)).body['@odata.etag'] ?? (await server.ask(path)).headers.get('etag');
  const token = await server.token();
  const body = Promise.withResolvers<unknown>();
  const waited = Promise.withResolvers<void>();
  const slow = directoryRequests.handle({
    method: 'PATCH',
    version: 'beta',
    path: `/${configurations}/Sms`,
    query: '',
    headers: { ifMatch: String(etag) },
    root: `${server.url}/beta/`,
    authenticate: () => tokens.verify(token),
    readBody: () => {
      waited.resolve();
      return body.promise;
    },
  } as never);
  await waited.promise;
  const patch = (state: string) => ({ '@odata.type': '#graph.smsAuthenticationMethodConfiguration', state });
  const current = (await server.ask(path)).body['state'];
  const other = current === 'enabled' ? 'disabled' : 'enabled';
  expect((await server.ask(path, { method: 'PATCH', body: patch(other) })).status).toBe(204);
  body.resolve(patch(String(current)));
  await expect(slow).rejects.toMatchObject({ code: 'precondition-failed' });
  expect((await server.ask(path)).body['state']).toBe(other);
});
