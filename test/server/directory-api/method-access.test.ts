import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

beforeAll(async () => {
  server = await DirectoryServer.start({ users: [{ id: 'ada', methods: ['sms'] }, { id: 'bob' }] });
});

afterAll(() => server.stop());

const read = 'UserAuthenticationMethod.Read.All';
const write = 'UserAuthenticationMethod.ReadWrite.All';
const passkey = 'UserAuthMethod-Passkey.ReadWrite.All';
const ownRead = 'UserAuthenticationMethod.Read';
const ownWrite = 'UserAuthenticationMethod.ReadWrite';
const audit = 'AuditLog.Read.All';
const permissions = [read, write, passkey, ownRead, ownWrite, audit, 'Directory.Read.All', 'User.Read.All'];
const authenticationAdministrators = ['Authentication Administrator', 'Privileged Authentication Administrator'];
const roles = [
  'Global Administrator',
  'Global Reader',
  'Security Administrator',
  'Security Reader',
  'Security Operator',
  'Reports Reader',
  'User Administrator',
  ...authenticationAdministrators,
];

/** Rows of the access table: a request, the permissions for the own user and for others, and the roles for others. */
interface AccessCase {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly roles: readonly string[];
}

const readers = ['Global Reader', ...authenticationAdministrators, 'Global Administrator'];
const writers = [...authenticationAdministrators, 'Global Administrator'];
const reporters = [
  'Reports Reader',
  'Security Reader',
  'Security Administrator',
  'Global Reader',
  'Global Administrator',
];

// Bodies are not valid and ids do not exist, so a request with access changes nothing.
const cases: readonly AccessCase[] = [
  {
    method: 'GET',
    path: 'users/USER/authentication/methods',
    own: [ownRead, ownWrite, read, write],
    others: [read, write],
    roles: readers,
  },
  {
    method: 'GET',
    path: 'users/USER/authentication/signInPreferences',
    own: [ownRead, ownWrite, read, write],
    others: [read, write],
    roles: readers,
  },
  {
    method: 'POST',
    path: 'users/USER/authentication/phoneMethods',
    body: {},
    own: [ownWrite, write],
    others: [write],
    roles: writers,
  },
  {
    method: 'DELETE',
    path: 'users/USER/authentication/emailMethods/none',
    own: [ownWrite, write],
    others: [write],
    roles: writers,
  },
  {
    method: 'PATCH',
    path: 'users/USER/authentication/requirements',
    body: {},
    own: [ownWrite, write],
    others: [write],
    roles: writers,
  },
  {
    method: 'POST',
    path: 'users/USER/authentication/fido2Methods',
    body: {},
    own: [ownWrite, write, passkey],
    others: [write, passkey],
    roles: writers,
  },
  {
    method: 'DELETE',
    path: 'users/USER/authentication/fido2Methods/none',
    own: [ownWrite, write, passkey],
    others: [write, passkey],
    roles: writers,
  },
  {
    method: 'GET',
    path: 'reports/authenticationMethods/userRegistrationDetails/USER',
    own: [audit, read],
    others: [audit, read],
    roles: reporters,
  },
];

async function allows(
  { method, path, body }: AccessCase,
  user: string,
  token: Parameters<DirectoryServer['token']>[0],
): Promise<boolean> {
  const authorization = `Bearer ${await server.token(token)}`;
  const { status, text } = await server.ask(`/beta/${path.replace('USER', user)}`, {
    method,
    headers: { authorization },
    ...(body === undefined ? {} : { body }),
  });
  expect([200, 400, 403, 404], text).toContain(status);
  return status !== 403;
}

describe('access to methods and reports', () => {
  test.for(cases)('DIR: $method $path for an application', async (one) => {
    for (const permission of nonEmpty(permissions)) {
      const allowed = await allows(one, 'bob', { app: 'tool', permissions: [permission] });
      expect([permission, allowed]).toEqual([permission, one.others.includes(permission)]);
    }
  });

  test.for(cases)('DIR: $method $path for a user with a role', async (one) => {
    for (const role of nonEmpty(roles)) {
      const allowed = await allows(one, 'bob', { user: 'ada', permissions, roles: [role] });
      expect([role, allowed]).toEqual([role, one.roles.includes(role)]);
    }
    for (const permission of nonEmpty(permissions)) {
      const allowed = await allows(one, 'bob', {
        user: 'ada',
        permissions: [permission],
        roles: ['Global Administrator'],
      });
      expect([permission, allowed]).toEqual([permission, one.others.includes(permission)]);
    }
    expect(await allows(one, 'bob', { user: 'ada', permissions, roles: [] })).toBe(false);
  });

  test.for(cases)('DIR: $method $path for the own user', async (one) => {
    for (const permission of nonEmpty(permissions)) {
      const allowed = await allows(one, 'ada', { user: 'ada', permissions: [permission], roles: [] });
      expect([permission, allowed]).toEqual([permission, one.own.includes(permission)]);
    }
  });

  test('DIR: an error names the permissions for the own user and no role, and the roles for others', async () => {
    const authorization = `Bearer ${await server.token({ user: 'ada', permissions: [audit], roles: [] })}`;
    const getMessage = async (user: string) => {
      const path = `/v1.0/users/${user}/authentication/phoneMethods`;
      const { status, body } = await server.ask(path, { method: 'POST', body: {}, headers: { authorization } });
      expect(status).toBe(403);
      return String((body as { readonly error?: { readonly message?: string } }).error?.message);
    };
    const [own, others] = [await getMessage('ada'), await getMessage('bob')];
    expect(own).toContain(`one of the permissions ${ownWrite}, ${write}`);
    expect(own).not.toMatch(/Administrator/);
    expect(others).toContain(`the permission ${write} and the role ${authenticationAdministrators.join(' or ')}`);
  });

  test('DIR: the order of checks is method, token, access, options, object, body', async () => {
    const at = '/v1.0/users/nobody/authentication/phoneMethods';
    const none = { headers: { authorization: 'Bearer x' } };
    const weak = { headers: { authorization: `Bearer ${await server.token({ app: 'tool', permissions: [read] })}` } };
    const body = {};
    expect((await server.ask(at, { method: 'PUT', ...none })).status).toBe(405);
    expect((await server.ask(`${at}?$x=1`, { method: 'POST', body, ...none })).status).toBe(401);
    expect((await server.ask(`${at}?$x=1`, { method: 'POST', body, ...weak })).status).toBe(403);
    expect((await server.ask(`${at}?$x=1`, { method: 'POST', body })).status).toBe(400);
    expect((await server.ask(at, { method: 'POST', body })).status).toBe(404);
    expect((await server.ask(at.replace('nobody', 'ada'), { method: 'POST', body })).status).toBe(400);
    expect((await server.ask('/v1.0/me/authentication/methods')).status).toBe(400);
  });
});
