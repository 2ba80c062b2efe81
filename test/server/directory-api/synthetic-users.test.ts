import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nameBasedUuid } from '../../../src/core/ids.ts';
import { DirectoryServer, eventual } from './directory-server.ts';

/** A sandbox with synthetic users, and one with the same users in its journal. */
let synthetic: DirectoryServer;
let written: DirectoryServer;

const count = 400;
const clock = { nowMs: Date.UTC(2026, 0, 5, 9), running: false };
const tenant = { groups: { sales: ['europe'], europe: ['all'], empty: [] } };
const types = [
  { share: 60, user: { groups: ['sales', 'ALL'] } },
  { share: 30, user: { type: 'guest', methods: [], groups: ['europe'], directory: { department: 'Guests' } } },
  { share: 10, user: { methods: ['voice'], roles: ['Global Administrator'] } },
] as const;

beforeAll(async () => {
  synthetic = await DirectoryServer.start({ clock, tenant, syntheticUsers: { count, seed: 5, types } });
  const users = synthetic.sandbox.directory.users({ limit: count });
  written = await DirectoryServer.start({ clock, tenant, users });
  const ids = users.map(({ id }) => id);
  for (const { sandbox } of [synthetic, written]) {
    await sandbox.directory.removeUser(ids[3] ?? '');
    await sandbox.directory.removeUser(ids[399] ?? '');
    await sandbox.directory.patchUser(ids[200] ?? '', { displayName: 'aaa first', groups: ['empty'] });
    await sandbox.directory.patchUser(ids[10] ?? '', { displayName: 'zzz last', userPrincipalName: 'a@example.test' });
    await sandbox.directory.putUser('new', { displayName: 'Helen M. Middle', groups: ['sales'], roles: ['Other'] });
    await sandbox.directory.removeMethod(ids[20] ?? '', 'sms');
  }
});

afterAll(() => Promise.all([synthetic.stop(), written.stop()]));

/** Follows a list to its end. Returns the bodies of all pages without addresses. */
async function follow(server: DirectoryServer, path: string): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  for (let next: unknown = path; typeof next === 'string'; ) {
    const { status, body } = await server.ask(next, { headers: eventual });
    expect(status).toBe(200);
    pages.push([body['@odata.count'], body.value]);
    next = body['@odata.nextLink'];
  }
  return pages;
}

describe('synthetic users', () => {
  test.for([
    '/v1.0/users',
    '/beta/users?$top=37&$count=true',
    '/v1.0/users?$orderby=userPrincipalName desc&$top=50&$select=id,userPrincipalName',
    '/v1.0/users?$orderby=userPrincipalName&$top=50&$select=id',
    '/v1.0/users?$orderby=displayName asc&$top=50&$select=id',
    '/v1.0/users?$orderby=displayName desc&$top=150&$select=id',
    '/v1.0/users?$orderby=createdDateTime,displayName&$select=displayName',
    "/v1.0/users?$filter=userType eq 'Guest'&$count=true&$top=20&$select=displayName,department",
    "/v1.0/users?$filter=startswith(displayName,'a') or surname eq 'Zhang'&$select=id",
    '/v1.0/users?$search="displayName:helen"&$select=displayName',
    '/v1.0/users?$top=25&$select=id&$expand=memberOf($select=displayName)',
    '/v1.0/groups?$count=true',
    '/v1.0/groups/sales/members?$top=100&$count=true&$select=id',
    '/v1.0/groups/europe/transitiveMembers?$top=90&$count=true&$select=displayName',
    '/v1.0/groups/all/transitiveMembers/graph.user?$top=90&$count=true&$select=displayName',
    '/v1.0/groups/all/transitiveMembers/graph.group?$count=true',
    '/v1.0/groups/europe/members?$orderby=displayName desc&$count=true&$select=id',
    '/v1.0/reports/authenticationMethods/userRegistrationDetails?$top=150&$count=true',
    '/v1.0/reports/authenticationMethods/userRegistrationDetails?$orderby=userDisplayName&$top=150',
    '/v1.0/reports/authenticationMethods/userRegistrationDetails?$filter=isMfaRegistered eq false&$skip=7&$select=id',
    '/v1.0/directoryRoles?$expand=members($select=displayName)',
  ])('DIR23: %s answers as if all users were written out', async (path) => {
    const pages = await follow(synthetic, path);
    expect(pages).toEqual(await follow(written, path));
    expect(JSON.stringify(pages).length).toBeGreaterThan(20);
  });

  test.for(['Feature', 'Method'])('DIR68: users by %s are counted as if all were written out', async (name) => {
    const targets = {
      excludeTargets: [{ targetType: 'user', id: synthetic.sandbox.recorder.state().users.synthetic?.idAt(50) }],
    };
    for (const { sandbox } of [synthetic, written]) {
      await sandbox.directory.patchTenant({ methodsPolicy: { fido2: targets, authenticator: targets } }, 'control-api');
    }
    for (const roles of ['all', 'admin', 'user']) {
      const path = `/v1.0/reports/authenticationMethods/usersRegisteredBy${name}(includedUserTypes='all',includedUserRoles='${roles}')`;
      const { '@odata.context': _one, ...body } = (await synthetic.ask(path)).body;
      const { '@odata.context': _other, ...expected } = (await written.ask(path)).body;
      expect(body['totalUserCount']).toBeGreaterThan(30);
      expect(body).toEqual(expected);
    }
  });

  test('one user is found by id and by name, and one who was removed or renamed is not', async () => {
    const state = synthetic.sandbox.recorder.state();
    const users = state.users.synthetic;
    if (users === null) throw new Error('There are no synthetic users.');
    for (const index of [0, 77, 398]) {
      const { body } = await synthetic.ask(`/v1.0/users/${users.nameAt(index).toUpperCase()}`);
      expect([body['id'], body['displayName']]).toEqual([users.idAt(index), users.displayNameAt(index)]);
      expect((await synthetic.ask(`/v1.0/users/${users.idAt(index).toUpperCase()}`)).status).toBe(200);
    }
    for (const gone of [users.idAt(3), users.nameAt(3), users.nameAt(10)]) {
      expect((await synthetic.ask(`/v1.0/users/${gone}`)).status).toBe(404);
    }
  });

  test('the journal contains the description and the changes, but no unchanged user', async () => {
    const [created] = await synthetic.sandbox.journal({ after: 0, limit: 1 });
    expect(created?.event).toMatchObject({ users: [], syntheticUsers: { count, seed: 5 } });
    expect([...synthetic.sandbox.recorder.state().users.stored()]).toHaveLength(4);
    expect(synthetic.sandbox.directory.population()).toEqual(written.sandbox.directory.population());
  });

  test('sign-in: a synthetic user signs in, and the prompt and the snooze are stored', async () => {
    const server = await DirectoryServer.start({
      clock,
      tenant: {
        campaign: {
          state: 'enabled',
          includeTargets: [
            { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' },
          ],
        },
      },
      syntheticUsers: { count: 1_000_000 },
    });
    try {
      const { sandbox } = server;
      const id = sandbox.recorder.state().users.synthetic?.idAt(123_456) ?? '';
      const verdict = sandbox.explain(id, {});
      expect(verdict.outcome).toBe('skippable');
      await sandbox.directory.setSnooze(id, { count: 1, snoozedAtMs: clock.nowMs });
      expect(sandbox.explain(id, {}).reason).toBe('snoozed');
      expect(sandbox.directory.population()).toMatchObject({ users: 1_000_000, states: { snoozed: 1 } });
    } finally {
      await server.stop();
    }
  });
});

test('DIR63: a change that arrives while another one waits for its body keeps it', async () => {
  const server = await DirectoryServer.start({ clock, syntheticUsers: { count: 1, seed: 5, types: [{ share: 1 }] } });
  onTestFinished(() => server.stop());
  const { directory, directoryRequests, tokens } = server.sandbox;
  const [{ id } = { id: '' }] = directory.users({ limit: 1 });
  const token = await server.token();
  const body = Promise.withResolvers<unknown>();
  const send = (path: string, readBody: () => Promise<unknown>) =>
    directoryRequests.handle({
      method: 'POST',
      version: 'v1.0',
      path: `/users/${id}/authentication/${path}`,
      query: '',
      headers: {},
      root: `${server.url}/v1.0/`,
      passkeys: {} as never,
      authenticate: () => tokens.verify(token),
      readBody,
    } as never);
  const waited = Promise.withResolvers<void>();
  const slow = send('phoneMethods', () => {
    waited.resolve();
    return body.promise;
  });
  await waited.promise;
  expect((await send('emailMethods', async () => ({ emailAddress: 'one@example.test' }))).status).toBe(201);
  body.resolve({ phoneType: 'office', phoneNumber: '+1 5550100' });
  expect((await slow).status).toBe(201);
  expect(directory.user(id).directory).toMatchObject({
    email: 'one@example.test',
    phones: { office: '+1 5550100' },
  });
});

test('DIR40: unknown targets of the policy are resolved without reading every user for each one', async () => {
  const server = await DirectoryServer.start({
    clock,
    settings: { dialect: 'entra' },
    syntheticUsers: { count: 1_000_000 },
  });
  onTestFinished(() => server.stop());
  const excludeTargets = Array.from({ length: 200 }, (_, index) => ({
    targetType: 'user',
    id: nameBasedUuid(`unknown ${index}`),
  }));
  const { status } = await server.ask('/beta/policies/authenticationMethodsPolicy', {
    method: 'PATCH',
    body: { registrationEnforcement: { authenticationMethodsRegistrationCampaign: { excludeTargets } } },
  });
  expect(status).toBe(200);
});
