import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enabledTenant } from '../../sandbox/policy-sandbox.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

beforeEach(async () => {
  server = await DirectoryServer.start({
    tenant: enabledTenant(),
    users: [{ id: 'ada', groups: ['team'] }, { id: 'bob' }],
  });
});

afterEach(() => server.stop());

interface Part {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function batch(requests: readonly object[], headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await server.ask('/v1.0/$batch', { method: 'POST', body: { requests }, headers });
  return { status, parts: (body['responses'] ?? []) as readonly Part[], message: body.error?.message ?? '' };
}

const get = (id: string | number, url: string, rest: object = {}) => ({ id, method: 'GET', url, ...rest });
const policy = '/policies/authenticationMethodsPolicy';
const patch = (id: string, days: number, rest: object = {}) => ({
  id,
  method: 'PATCH',
  url: policy,
  headers: { 'Content-Type': 'application/json' },
  body: {
    registrationEnforcement: { authenticationMethodsRegistrationCampaign: { snoozeDurationInDays: days } },
  },
  ...rest,
});

/** Sends a token with every permission of the directory and the right to update the policy. */
async function administrator(): Promise<Readonly<Record<string, string>>> {
  const permissions = ['Policy.ReadWrite.AuthenticationMethod', 'Directory.Read.All'];
  return { authorization: `Bearer ${await server.token({ app: 'pipeline', permissions })}` };
}

describe('batches', () => {
  test('DIR35: relative and absolute URLs, and ids as text, in the order as sent', async () => {
    const { status, parts } = await batch([
      get('A', '/users/ada?$select=id'),
      get(2, 'users/bob?$select=id'),
      get('c', `${server.url}/v1.0/groups/team/members?$select=id`),
    ]);
    expect(status).toBe(200);
    expect(parts.map(({ id, status: one }) => [id, one])).toEqual([
      ['A', 200],
      ['2', 200],
      ['c', 200],
    ]);
    expect(parts[0]?.body).toEqual({ '@odata.context': `${server.url}/v1.0/$metadata#users(id)/$entity`, id: 'ada' });
    expect(parts[2]?.headers['Content-Type']).toContain('application/json');
  });

  test.for<[string, readonly object[]]>([
    ['more than 20 requests', Array.from({ length: 21 }, (_, index) => get(`r${index}`, '/users'))],
    ['ids that differ only in case', [get('a', '/users'), get('A', '/users')]],
    ['an unknown dependency', [get('a', '/users', { dependsOn: ['b'] })]],
    ['a dependency on itself', [get('a', '/users', { dependsOn: ['a'] })]],
    ['a ring', [get('a', '/users', { dependsOn: ['b'] }), get('b', '/users', { dependsOn: ['a'] })]],
    ['a nested batch', [{ id: 'a', method: 'POST', url: '/$batch' }]],
    ['a body without its type', [patch('a', 5, { headers: {} })]],
    ['an authorization of its own', [get('a', '/users', { headers: { Authorization: 'Bearer x' } })]],
    ['an unknown method', [{ id: 'a', method: 'FETCH', url: '/users' }]],
  ])('DIR35: %s is rejected, and nothing runs', async ([, requests]) => {
    const before = server.sandbox.entryCount;
    const headers = await administrator();
    expect((await batch([patch('first', 9), ...requests], headers)).status).toBe(400);
    expect((await batch([], headers)).status).toBe(400);
    expect(server.sandbox.entryCount).toBe(before);
  });

  test('DIR36: a text is base64, and header values are texts', async () => {
    const [count] = (await batch([get('n', '/users/$count', { headers: { consistencylevel: 'eventual' } })])).parts;
    expect(count).toMatchObject({ status: 200, body: btoa('2'), headers: { 'Content-Type': 'text/plain' } });
  });

  test('DIR36: responses are shuffled by the random seed if the tenant says so', async () => {
    await server.sandbox.directory.patchSettings({ directory: { batchOrder: 'shuffled' } }, 'control-api');
    const ids = Array.from({ length: 8 }, (_, index) => `r${index}`);
    const order = async () => (await batch(ids.map((id) => get(id, '/users/ada')))).parts.map(({ id }) => id);
    const first = await order();
    expect(first).not.toEqual(ids);
    expect(first.toSorted()).toEqual(ids);
    expect(await order()).toEqual(first);
  });

  test('DIR37: requests run in the order of their dependencies, each with a journal entry of its own', async () => {
    const { parts } = await batch(
      [get('read', policy, { dependsOn: ['second'] }), patch('second', 9, { dependsOn: ['first'] }), patch('first', 5)],
      await administrator(),
    );
    expect(parts.map(({ id, status }) => [id, status])).toEqual([
      ['read', 200],
      ['second', 200],
      ['first', 200],
    ]);
    expect(parts[0]?.body).toMatchObject({
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: { snoozeDurationInDays: 9 } },
    });
    const entries = await server.sandbox.journal({ after: 0, limit: 10 });
    expect(entries.map(({ event }) => event.type)).toEqual(['sandbox.created', 'tenant.changed', 'tenant.changed']);
  });

  test('dependency-failed: a request after a failed one is 424 and does not run', async () => {
    const { parts } = await batch(
      [
        get('a', '/users/stranger'),
        patch('b', 5, { dependsOn: ['A'] }),
        get('c', '/users', { dependsOn: ['b'] }),
        get('d', '/users'),
      ],
      await administrator(),
    );
    expect(parts.map(({ status }) => status)).toEqual([404, 424, 424, 200]);
    expect(parts[1]?.body).toMatchObject({ error: { code: 'failedDependency' } });
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('access-denied: each request is checked by itself, and a batch needs a token', async () => {
    const authorization = `Bearer ${await server.token({ app: 'reader', permissions: ['User.Read.All'] })}`;
    const requests = [get('u', '/users'), get('g', '/groups'), get('p', policy), get('x', '/gadgets')];
    const { status, parts } = await batch(requests, { authorization });
    expect([status, parts.map((part) => part.status)]).toEqual([200, [200, 403, 403, 404]]);
    expect((await batch(requests, { authorization: '' })).status).toBe(401);
    expect((await server.ask('/v1.0/$batch')).status).toBe(405);
  });

  test('DIR38: ConsistencyLevel and Prefer are those of the request', async () => {
    const { parts } = await batch(
      [
        get('none', '/users?$count=true'),
        get('own', '/users?$count=true', { headers: { ConsistencyLevel: 'eventual', Prefer: 'odata.maxpagesize=1' } }),
      ],
      { ConsistencyLevel: 'eventual' },
    );
    expect(parts.map(({ status }) => status)).toEqual([400, 200]);
    expect(parts[1]?.headers['Preference-Applied']).toBe('odata.maxpagesize=1');
    const link = String((parts[1]?.body as { readonly '@odata.nextLink'?: string } | undefined)?.['@odata.nextLink']);
    // Clients cut the root off a link and send the rest in the next batch.
    const rest = link.replace(`${server.url}/v1.0`, '');
    const headers = { ConsistencyLevel: 'eventual' };
    expect((await batch([get('next', rest, { headers })])).parts[0]?.body).toMatchObject({ value: [{ id: 'bob' }] });
  });

  test('DIR37: each request meets faults by itself', async () => {
    const fault = { kind: 'too-many-requests', endpoint: 'directory', retryAfterSeconds: 7, times: 1, after: 1 };
    await server.sandbox.faults.set([fault, { kind: 'server-error', endpoint: 'policy', status: 502 }]);
    const { parts } = await batch([get('a', '/users'), get('b', '/users'), get('c', '/users'), get('p', policy)]);
    expect(parts.map(({ status }) => status)).toEqual([200, 429, 200, 502]);
    expect(parts[1]?.headers['Retry-After']).toBe('7');
    await server.sandbox.faults.set([{ ...fault, after: 0 }]);
    expect((await server.ask('/v1.0/users')).status).toBe(429);
  });
});
