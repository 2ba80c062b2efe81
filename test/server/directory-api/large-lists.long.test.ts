import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { afterPendingInput } from '../../../src/core/clock.ts';
import { TimeSlices } from '../../../src/core/time-slices.ts';
import { SyntheticUsers } from '../../../src/journal/synthetic-users.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

const count = 30_000;
const eventual = { headers: { ConsistencyLevel: 'eventual' } };
const report = '/v1.0/reports/authenticationMethods/userRegistrationDetails';

let server: DirectoryServer;

beforeAll(async () => {
  server = await DirectoryServer.start({
    tenant: { groups: { sales: ['staff'], staff: [] } },
    syntheticUsers: {
      count,
      seed: 3,
      types: [
        { share: 3, user: { groups: ['staff'], methods: ['sms'] } },
        { share: 1, user: { type: 'guest', groups: ['sales'] } },
      ],
    },
    users: [
      { id: 'zz', displayName: 'Aaron A. Abbott' },
      { id: 'aa', displayName: 'Aaron A. Abbott' },
    ],
  });
});

afterAll(() => server.stop());

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: unknown;
}

async function read(path: string): Promise<Page> {
  const { status, body, text } = await server.ask(path, eventual);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return { rows: body.value ?? [], next: body['@odata.nextLink'] };
}

describe('lists of a large tenant', () => {
  test.for([
    ['/v1.0/users', 'displayName'],
    ['/v1.0/users', 'userPrincipalName'],
    ['/v1.0/groups/staff/transitiveMembers', 'displayName'],
    [report, 'userPrincipalName'],
    [report, 'userDisplayName'],
  ] as const)(
    'DIR27: %s in descending order of %s is the opposite order, and equal rows stay',
    async ([path, name]) => {
      const all: unknown[] = [];
      for (
        let next: unknown = `${path}?$orderby=${name} desc&$top=999&$select=id,${name}`;
        typeof next === 'string';
      ) {
        const page = await read(next);
        all.push(...page.rows.map((row) => ({ id: row['id'], name: String(row[name]).toLowerCase() })));
        next = page.next;
      }
      const rows = all as readonly { readonly id: string; readonly name: string }[];
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      expect(rows.length).toBeGreaterThanOrEqual(count);
      const isInOrder = rows.slice(1).every(({ name: after, id }, index) => {
        const before = rows[index];
        return before !== undefined && (before.name > after || (before.name === after && before.id <= id));
      });
      expect(isInOrder).toBe(true);
    },
  );

  test('DIR27: two properties order rows, and pages continue each other', async () => {
    const path = '/v1.0/users?$orderby=createdDateTime desc,displayName desc&$select=displayName&$top=500';
    const first = await read(path);
    const second = await read(String(first.next));
    const names = [...first.rows, ...second.rows].map(({ displayName }) => String(displayName).toLowerCase());
    expect(names).toEqual(names.toSorted().toReversed());
    expect(names).toHaveLength(1_000);
  });

  test.for([
    `/v1.0/users?$count=true&$filter=${encodeURIComponent("surname eq 'Zhang'")}`,
    `/v1.0/users/$count?$filter=${encodeURIComponent("endswith(mail,'7@example.test')")}`,
    '/v1.0/users?$count=true&$search="displayName:zhang"',
    '/v1.0/users?$orderby=createdDateTime desc',
    `${report}?$skip=100&$filter=${encodeURIComponent("startswith(userDisplayName,'zz')")}`,
  ])('the server does other tasks while it answers %s', async (path) => {
    const pause = vi.spyOn(TimeSlices.prototype, 'pause');
    try {
      const reply = await server.ask(path, eventual);
      expect([reply.status, pause.mock.calls.length > 0]).toEqual([200, true]);
    } finally {
      pause.mockRestore();
    }
  });

  test('DIR23: a list whose state changes while it is counted shows the state of its beginning', async () => {
    const path = `/v1.0/users?$count=true&$select=id&$filter=${encodeURIComponent("startswith(displayName,'Aaron')")}`;
    const before = await server.ask(path, eventual);
    await server.sandbox.directory.putUser('other', { displayName: 'Aaron the other' });
    const ids = nonEmpty(before.body.value ?? []).map(({ id }) => String(id));
    const pending = server.ask(path, eventual);
    await new Promise<void>(afterPendingInput);
    for (const id of ids.slice(0, 20)) await server.sandbox.directory.removeUser(id);
    const { body, status } = await pending;
    const total = Number(before.body['@odata.count']);
    expect(status).toBe(200);
    // The request arrived before or after the removals, but it never counts some of the removed users alone.
    expect([total + 1, total - 19]).toContain(body['@odata.count']);
  });

  test('DIR35: a batch of 20 pages has the rows of the pages', async () => {
    const urls = Array.from({ length: 20 }, (_, index) =>
      '/users?$top=999&$select=id,displayName&$orderby=displayName'.concat(index % 2 === 0 ? '' : ' desc'),
    );
    const { status, body } = await server.ask('/v1.0/$batch', {
      method: 'POST',
      body: { requests: urls.map((url, id) => ({ id: String(id), method: 'GET', url })) },
    });
    expect(status).toBe(200);
    const [one, other] = [await read(`/v1.0${urls[0] ?? ''}`), await read(`/v1.0${urls[1] ?? ''}`)];
    const responses = body['responses'] as readonly {
      readonly id: string;
      readonly body: { readonly value: unknown };
    }[];
    expect(responses).toHaveLength(20);
    for (const [index, response] of nonEmpty(responses).entries()) {
      expect([response.id, response.body.value]).toEqual([String(index), (index % 2 === 0 ? one : other).rows]);
    }
  });

  test.for([
    ['/v1.0/users', "userType eq 'Guest'"],
    ['/v1.0/users', 'accountEnabled eq true and createdDateTime le 2999-01-01T00:00:00Z'],
    ['/v1.0/users', "userType eq 'Guest' or displayName eq 'Aaron A. Abbott'"],
    [report, "isMfaRegistered eq true and userType eq 'member'"],
    [report, "methodsRegistered/any(m: m eq 'mobilePhone')"],
    [report, "not (isPasswordlessCapable eq true) and startswith(userDisplayName,'v')"],
    [report, 'isSystemPreferredAuthenticationMethodEnabled eq true'],
  ] as const)('DIR24: the count of %s with %s is the number of its rows', async ([path, filter]) => {
    const { sandbox } = server;
    const { users } = sandbox.directory.userPage({ limit: 3, search: 'smith' });
    const [first, second, third] = users.map(({ id }) => id);
    if (first === undefined || second === undefined || third === undefined) throw new Error('There are no Smiths.');
    await sandbox.directory.patchUser(first, { type: 'guest', methods: ['authenticator-push'] });
    await sandbox.directory.removeUser(second);
    const target = { targetType: 'user', id: third };
    const preferences = { state: 'enabled', includeTargets: [target], excludeTargets: [] };
    const changed = await server.ask('/beta/policies/authenticationMethodsPolicy', {
      method: 'PATCH',
      body: { systemCredentialPreferences: preferences },
    });
    expect(changed.status).toBe(200);
    const query = `$count=true&$filter=${encodeURIComponent(filter)}&$select=id&$top=999`;
    let rows = 0;
    let total: unknown;
    for (let next: unknown = `${path}?${query}`; typeof next === 'string'; ) {
      const { body, status, text } = await server.ask(next, eventual);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      rows += body.value?.length ?? 0;
      total ??= body['@odata.count'];
      next = body['@odata.nextLink'];
    }
    expect(total).toBe(rows);
    expect(rows).toBeGreaterThan(0);
  });

  test('DIR24: a count by properties that users share reads one user of each type', async () => {
    const recordAt = vi.spyOn(SyntheticUsers.prototype, 'recordAt');
    try {
      const guests = await server.ask(
        `/v1.0/users/$count?$filter=${encodeURIComponent("userType eq 'Guest'")}`,
        eventual,
      );
      expect([guests.status, Number(guests.text) >= count / 4 - 100]).toEqual([200, true]);
      expect(recordAt.mock.calls.length).toBeLessThan(100);
    } finally {
      recordAt.mockRestore();
    }
  });
});
