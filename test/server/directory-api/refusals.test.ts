import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { policyPermissions } from '../../../src/contract/policy-caller.ts';
import { nonEmpty } from '../../non-empty.ts';
import { enabledTenant } from '../../sandbox/policy-sandbox.ts';
import { DirectoryServer, type Reply } from './directory-server.ts';

const policy = '/v1.0/policies/authenticationMethodsPolicy';
const sms = `${policy}/authenticationMethodConfigurations/Sms`;
const methods = '/v1.0/users/ada/authentication';
const reports = '/v1.0/reports/authenticationMethods/userRegistrationDetails';
const password = `${methods}/passwordMethods/28c10230-6103-485e-b985-444c60001490`;

type Dialect = 'seed' | 'entra';

/** Request of a client, and the token that it carries. */
interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: 'all' | 'none' | 'basic' | 'broken' | 'foreign' | 'expired' | 'weak' | 'reader' | 'ben';
}

type Row = readonly [title: string, call: Call, status: number, seed: string, entra: string, status2?: number];

const days = (snoozeDurationInDays: unknown) => ({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: { snoozeDurationInDays } },
});
const smsOff = { '@odata.type': '#graph.smsAuthenticationMethodConfiguration', state: 'disabled' };
const stale = { 'if-match': '"stale"' };
const phone = { path: `${methods}/phoneMethods`, method: 'POST' };

/** Rows of the table of errors, with the codes of both dialects. */
const rows: readonly Row[] = [
  ['no token', { path: '/v1.0/users', token: 'none' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  ['another scheme', { path: '/v1.0/users', token: 'basic' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  ['no JWT', { path: '/v1.0/users', token: 'broken' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  ['a foreign token', { path: '/v1.0/users', token: 'foreign' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  ['a foreign token', { path: policy, token: 'foreign' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  ['an expired token', { path: sms, token: 'expired' }, 401, 'unauthenticated', 'InvalidAuthenticationToken'],
  [
    'a foreign token in a batch',
    {
      path: '/v1.0/$batch',
      method: 'POST',
      token: 'foreign',
      body: { requests: [{ id: '1', method: 'GET', url: '/users' }] },
    },
    401,
    'unauthenticated',
    'InvalidAuthenticationToken',
  ],
  ['no permission', { path: '/v1.0/groups', token: 'weak' }, 403, 'accessDenied', 'Authorization_RequestDenied'],
  ['no permission', { path: policy, token: 'weak' }, 403, 'accessDenied', 'Authorization_RequestDenied'],
  [
    'no permission to write',
    { path: policy, method: 'PATCH', body: days(3), token: 'reader' },
    403,
    'accessDenied',
    'Authorization_RequestDenied',
  ],
  ['no permission', { path: `${methods}/methods`, token: 'weak' }, 403, 'accessDenied', 'accessDenied'],
  ['no role', { path: `${methods}/methods`, token: 'ben' }, 403, 'accessDenied', 'accessDenied'],
  ['no permission', { path: reports, token: 'weak' }, 403, 'accessDenied', 'Authorization_RequestDenied'],
  ['no role', { path: reports, token: 'ben' }, 403, 'accessDenied', 'Authentication_RequestFromUnsupportedUserRole'],
  [
    'no role',
    { path: '/v1.0/auditLogs/signIns', token: 'ben' },
    403,
    'accessDenied',
    'Authentication_RequestFromUnsupportedUserRole',
  ],
  ['no user', { path: '/v1.0/users/No-Body' }, 404, 'notFound', 'Request_ResourceNotFound'],
  ['no group', { path: '/v1.0/groups/No-Group' }, 404, 'notFound', 'Request_ResourceNotFound'],
  ['no row', { path: `${reports}/No-Body` }, 404, 'notFound', 'Request_ResourceNotFound'],
  ['no sign-in', { path: '/v1.0/auditLogs/signIns/No-Id' }, 404, 'notFound', 'Request_ResourceNotFound'],
  ['no configuration', { path: sms.replace('Sms', 'Pigeon') }, 404, 'notFound', 'Request_ResourceNotFound'],
  ['no method', { path: `${methods}/phoneMethods/no-id` }, 404, 'notFound', 'resourceNotFound'],
  ['no method', { path: `${methods}/phoneMethods/no-id`, method: 'DELETE' }, 404, 'notFound', 'resourceNotFound'],
  ['an unknown segment', { path: '/v1.0/Gadgets' }, 404, 'notFound', 'BadRequest', 400],
  ['an unknown segment', { path: `${policy}/Gadgets` }, 404, 'notFound', 'BadRequest', 400],
  ['a write', { path: '/v1.0/users', method: 'POST', body: {} }, 405, 'methodNotAllowed', 'Request_BadRequest'],
  ['a write', { path: policy, method: 'DELETE' }, 405, 'methodNotAllowed', 'Request_BadRequest'],
  ['a write', { path: password, method: 'DELETE' }, 405, 'methodNotAllowed', 'Request_BadRequest'],
  ['no JSON', { path: '/v1.0/users', headers: { accept: 'text/html' } }, 406, 'notAcceptable', 'notAcceptable'],
  ['no JSON', { path: policy, headers: { accept: 'text/html' } }, 406, 'notAcceptable', 'notAcceptable'],
  [
    'no JSON',
    { path: policy, method: 'PATCH', body: days(3), headers: { accept: 'text/html' } },
    406,
    'notAcceptable',
    'notAcceptable',
  ],
  ['an unknown option', { path: '/v1.0/users?foo=1' }, 400, 'badRequest', 'Request_UnsupportedQuery'],
  ['an unknown option', { path: `${policy}?foo=1` }, 400, 'badRequest', 'badRequest'],
  ['an option twice', { path: '/v1.0/users?$select=id&select=id' }, 400, 'badRequest', 'Request_UnsupportedQuery'],
  ['a damaged filter', { path: "/v1.0/users?$filter=id%20foo%20'x'" }, 400, 'badRequest', 'Request_UnsupportedQuery'],
  ['a count without header', { path: '/v1.0/users?$count=true' }, 400, 'badRequest', 'Request_UnsupportedQuery'],
  ['a wrong value', { path: policy, method: 'PATCH', body: days(99) }, 400, 'badRequest', 'badRequest'],
  [
    'a wrong value',
    { ...phone, body: { phoneNumber: 'x', phoneType: 'office' } },
    400,
    'badRequest',
    'Request_BadRequest',
  ],
  [
    'an unknown key',
    { ...phone, body: { phoneNumber: '+1 5550100', phoneType: 'office', x: 1 } },
    400,
    'badRequest',
    'Request_BadRequest',
  ],
  [
    'a phone that exists',
    { ...phone, body: { phoneNumber: '+1 5550100', phoneType: 'mobile' } },
    400,
    'badRequest',
    'Request_BadRequest',
  ],
  [
    'a stale ETag',
    { path: policy, method: 'PATCH', body: days(3), headers: stale },
    412,
    'preconditionFailed',
    'preconditionFailed',
  ],
  [
    'a stale ETag',
    { path: sms, method: 'PATCH', body: smsOff, headers: stale },
    412,
    'preconditionFailed',
    'preconditionFailed',
  ],
  ['a stale ETag', { path: sms, method: 'DELETE', headers: stale }, 412, 'preconditionFailed', 'preconditionFailed'],
  ['a large body', { ...phone, body: { x: 'y'.repeat(1_100_000) } }, 413, 'payloadTooLarge', 'RequestEntityTooLarge'],
  [
    'another type',
    { ...phone, body: {}, headers: { 'content-type': 'text/plain' } },
    415,
    'unsupportedMediaType',
    'UnsupportedMediaType',
  ],
];

const users = [
  { id: 'ada', methods: ['sms'], groups: ['team'] },
  { id: 'ben', methods: ['sms'] },
] as const;

let server: DirectoryServer;
afterEach(() => server.stop());

async function start(dialect: Dialect): Promise<(call: Call) => Promise<Reply>> {
  server = await DirectoryServer.start({ settings: { dialect }, tenant: enabledTenant(), users: [...users] });
  const other = await DirectoryServer.start({ users: [...users] });
  onTestFinished(() => other.stop());
  const permissions = ['Directory.Read.All', 'AuditLog.Read.All', ...Object.values(policyPermissions)];
  const write = 'UserAuthenticationMethod.ReadWrite.All';
  const tokens = {
    all: await server.token({ app: 'tool', permissions: [...permissions, write] }),
    foreign: await other.token({ app: 'tool', permissions: [...permissions, write] }),
    expired: await server.token({ app: 'tool', permissions, expiresInSeconds: 1 }),
    weak: await server.token({ app: 'tool', permissions: ['User.Read.All'] }),
    reader: await server.token({ app: 'tool', permissions: [policyPermissions.readAll] }),
    ben: await server.token({ user: 'ben', permissions: [...permissions, write] }),
    broken: 'none',
  };
  await server.sandbox.clock.advance({ minutes: 1 });
  return ({ path, headers = {}, token = 'all', ...rest }) => {
    const authorization = token === 'none' ? '' : token === 'basic' ? 'Basic eDp5' : `Bearer ${tokens[token]}`;
    return server.ask(path, { ...rest, headers: { ...headers, authorization } });
  };
}

const shape: Readonly<Record<Dialect, RegExp>> = {
  seed: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  entra: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
};

describe.for(['seed', 'entra'] as const)('DIR90: refused requests in the dialect %s', (dialect) => {
  const named = nonEmpty(rows).map((row) => ({ row, name: `${row[0]}: ${row[1].method ?? 'GET'} ${row[1].path}` }));

  test.for(named)('$name, and nothing changes', async ({ row }) => {
    const [, call, seedStatus, seedCode, entraCode, entraStatus] = row;
    const send = await start(dialect);
    const before = server.sandbox.entryCount;
    const id = 'b1f0c9a4-0000-4000-8000-00000000000a';
    const { status, body, headers } = await send({ ...call, headers: { ...call.headers, 'client-request-id': id } });
    const [expected, code] = dialect === 'seed' ? [seedStatus, seedCode] : [entraStatus ?? seedStatus, entraCode];
    expect([status, body.error?.code]).toEqual([expected, code]);
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatchObject({
      message: expect.stringMatching(/^[A-Z/].*/),
      innerError: {
        date: expect.stringMatching(shape[dialect]),
        'request-id': headers.get('request-id'),
        'client-request-id': id,
      },
    });
    const further = Object.keys(body.error ?? {}).filter((key) => !['code', 'message', 'innerError'].includes(key));
    expect(['', 'details']).toContain(further.join(' '));
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('www-authenticate')?.startsWith('Bearer') ?? false).toBe(status === 401);
    expect(headers.has('allow')).toBe(status === 405);
    expect(server.sandbox.entryCount).toBe(before);
  });

  test('checks have an order: method, token, permission, options, object, body', async () => {
    const send = await start(dialect);
    const path = '/v1.0/users/No-Body/authentication/phoneMethods';
    const calls: readonly (readonly [Call, number])[] = [
      [{ path: `${path}?foo=1`, method: 'PUT', token: 'none', body: {} }, 405],
      [{ path: `${path}?foo=1`, method: 'POST', token: 'none', body: {} }, 401],
      [{ path: `${path}?foo=1`, method: 'POST', token: 'weak', body: {} }, 403],
      [{ path: `${path}?foo=1`, method: 'POST', body: {} }, 400],
      [{ path, method: 'POST', body: {} }, 404],
      [{ path: path.replace('No-Body', 'ada'), method: 'POST', body: {} }, 400],
    ];
    for (const [call, status] of nonEmpty(calls)) expect([call, (await send(call)).status]).toEqual([call, status]);
    expect((await send(nonEmpty(calls)[3]?.[0] ?? { path })).body.error?.message).toContain('foo');
  });

  test('a refusal names every permission and role that is missing', async () => {
    const send = await start(dialect);
    const permissions = ['User.Read'];
    const authorization = `Bearer ${await server.token({ user: 'ben', permissions })}`;
    const { body } = await server.ask(`${methods}/methods`, { headers: { authorization } });
    for (const name of [
      'UserAuthenticationMethod.Read.All',
      'UserAuthenticationMethod.ReadWrite.All',
      'Global Reader',
      'Authentication Administrator',
      'Privileged Authentication Administrator',
    ])
      expect(body.error?.message).toContain(name);
    expect((await send({ path: policy, token: 'weak' })).body.error?.message).toContain(policyPermissions.readAll);
  });

  test('DIR37: a batch of which half fails changes what the other half says, and nothing else', async () => {
    const send = await start(dialect);
    const json = { 'Content-Type': 'application/json' };
    const url = policy.replace('/v1.0', '');
    const requests = [
      { id: 'stale', method: 'PATCH', url, headers: { ...json, 'If-Match': '"stale"' }, body: days(1) },
      { id: 'wrong', method: 'PATCH', url, headers: json, body: days(99) },
      { id: 'good', method: 'PATCH', url, headers: json, body: days(9) },
      { id: 'gone', method: 'DELETE', url: '/users/ada/authentication/phoneMethods/no-id' },
      { id: 'option', method: 'GET', url: '/users?foo=1' },
      { id: 'after', method: 'PATCH', url, headers: json, body: days(2), dependsOn: ['gone'] },
    ];
    const before = server.sandbox.entryCount;
    const { status, body } = await send({ path: '/v1.0/$batch', method: 'POST', body: { requests } });
    expect(status).toBe(200);
    const parts = body['responses'] as readonly {
      readonly id: string;
      readonly status: number;
      readonly body: object;
    }[];
    const codes =
      dialect === 'seed'
        ? ['preconditionFailed', 'badRequest', undefined, 'notFound', 'badRequest', 'failedDependency']
        : [
            'preconditionFailed',
            'badRequest',
            undefined,
            'resourceNotFound',
            'Request_UnsupportedQuery',
            'FailedDependency',
          ];
    const statuses = [412, 400, 200, 404, 400, 424];
    expect(parts.map((part) => [part.id, part.status])).toEqual(requests.map(({ id }, at) => [id, statuses[at]]));
    const errors = parts.map((part) => (part.body as { readonly error?: Record<string, unknown> }).error);
    expect(errors.map((error) => error?.['code'])).toEqual(codes);
    for (const error of nonEmpty(errors.filter((one) => one !== undefined)))
      expect(error['innerError']).toMatchObject({ date: expect.stringMatching(shape[dialect]) });
    expect(server.sandbox.entryCount).toBe(before + 1);
    expect(server.sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(9);
  });
});

describe('DIR6, DIR30: headers at the policy', () => {
  test.for(['direct', 'batch'])(
    '%s: without metadata no annotation is left, and applied preferences are named',
    async (way) => {
      const send = await start('entra');
      const ask = async (method: string, headers: Readonly<Record<string, string>>, body?: unknown) => {
        if (way === 'direct') {
          const reply = await send({ path: policy, method, headers, body });
          return { status: reply.status, headers: reply.headers, text: reply.text };
        }
        const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
        const part = { id: '1', method, url: policy.replace('/v1.0', ''), headers: { ...json, ...headers }, body };
        const { body: whole } = await send({ path: '/v1.0/$batch', method: 'POST', body: { requests: [part] } });
        const [answer] = whole['responses'] as readonly {
          status: number;
          headers: Record<string, string>;
          body?: object;
        }[];
        return {
          status: answer?.status,
          headers: new Headers(answer?.headers),
          text: answer?.body === undefined ? '' : JSON.stringify(answer.body),
        };
      };
      const usual = await ask('GET', {});
      expect(usual.text).toContain('@odata.type');
      const plain = await ask('GET', { accept: 'application/json;odata.metadata=none' });
      expect([plain.status, plain.text.includes('@odata.')]).toEqual([200, false]);
      expect(plain.headers.get('content-type')).toContain('odata.metadata=none');
      const kept = JSON.parse(usual.text, (_key, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.includes('@odata.')))
          : value,
      );
      expect(JSON.parse(plain.text)).toEqual(kept);
      for (const [at, preference] of ['return=minimal', 'return=representation', 'return="minimal"'].entries()) {
        const changed = await ask('PATCH', { prefer: preference }, days(at + 5));
        expect(changed.status).toBe(preference.includes('minimal') ? 204 : 200);
        expect(changed.headers.get('preference-applied')).toBe(preference.replaceAll('"', ''));
      }
      expect((await ask('PATCH', {}, days(1))).headers.get('preference-applied')).toBeNull();
      expect((await ask('GET', { accept: 'text/html' })).status).toBe(406);
    },
  );
});
