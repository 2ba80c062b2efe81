import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appCampaign, startMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

/** Calls of public tools that read the logs, as they send them, replayed against the dialect of the provider. */

let server: DirectoryServer;
let userId: string;

beforeAll(async () => {
  server = await DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    tenant: { ...appCampaign, subscription: 'paid' },
    settings: { dialect: 'entra' },
    users: [{ id: 'ada', displayName: 'Ada' }],
  });
  const { signIns, securityInfo } = server.sandbox;
  const view = await signIns.start('ada', { ssoSession: true }, { client: { id: portal, name: 'Portal' } });
  expect(view.finished).toBe(true);
  await server.sandbox.clock.advance({ hours: 1 });
  await signIns.start('ada', { ssoSession: true });
  await securityInfo.addMethod('ada', 'voice');
  const { body } = await server.ask('/beta/users/ada?$select=id');
  userId = String(body['id']);
});

afterAll(() => server.stop());

const portal = 'c44b4083-3bb0-49c1-b47d-974e53cbdf3c';

/** Encodes a query as clients do: blanks and quotes, but not the signs of options. */
function encode(path: string): string {
  return path.replaceAll(' ', '%20').replaceAll("'", '%27');
}

interface Call {
  readonly tool: string;
  readonly path: () => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of rows. */
  readonly rows: number;
  /** Properties that the tool reads from a row. */
  readonly reads: readonly string[];
}

const calls: readonly Call[] = [
  {
    tool: 'CIPP: sign-ins of a user',
    path: () => `/beta/auditLogs/signIns?api-version=beta&filter=userId eq '${userId}'&$top=50`,
    rows: 2,
    reads: ['createdDateTime', 'status', 'appDisplayName', 'clientAppUsed', 'authenticationDetails', 'location'],
  },
  {
    tool: 'CIPP: last sign-in',
    path: () => `/beta/auditLogs/signIns?$filter=userId eq '${userId}'&$orderby=createdDateTime desc&$top=1`,
    rows: 1,
    reads: ['createdDateTime', 'id'],
  },
  {
    tool: 'CIPP: sign-ins without service accounts',
    path: () =>
      "/beta/auditLogs/signIns?api-version=beta&filter=createdDateTime ge 2026-01-04T00:00:00Z and userDisplayName ne 'On-Premises Directory Synchronization Service Account'",
    rows: 2,
    reads: ['userDisplayName', 'conditionalAccessStatus'],
  },
  {
    tool: 'CIPP: registered security info',
    path: () =>
      "/v1.0/auditLogs/directoryAudits?$filter=activityDateTime ge 2026-01-04T00:00:00Z and (activityDisplayName eq 'User registered security info' or activityDisplayName eq 'User deleted security info' or activityDisplayName eq 'Admin registered security info')",
    rows: 1,
    reads: ['activityDateTime', 'initiatedBy', 'targetResources', 'result', 'resultReason'],
  },
  {
    tool: 'Zero Trust Assessment',
    path: () =>
      `/beta/auditlogs/signins?$filter=createdDateTime ge 2026-01-01T00:00:00Z and status/errorcode eq 0 and appid eq '${portal}'`,
    headers: { ConsistencyLevel: 'eventual' },
    rows: 1,
    reads: ['appliedConditionalAccessPolicies', 'authenticationRequirement', 'deviceDetail', 'userPrincipalName'],
  },
  {
    tool: 'CLI for Microsoft 365',
    path: () => `/v1.0/auditLogs/signIns?$filter=userId eq '${userId}' and appId eq '${portal}'`,
    headers: { accept: 'application/json;odata.metadata=none' },
    rows: 1,
    reads: ['id', 'createdDateTime', 'userPrincipalName', 'appId', 'appDisplayName'],
  },
  {
    tool: 'MSIdentityTools: first sign-in',
    path: () =>
      `/beta/auditLogs/signIns?$select=createdDateTime&$filter=userId eq '${userId}'&$top=1&$orderby=createdDateTime asc`,
    rows: 1,
    reads: ['createdDateTime'],
  },
  {
    tool: 'Maester: header on every request',
    path: () => '/beta/auditLogs/signIns?$top=5',
    headers: { ConsistencyLevel: 'eventual' },
    rows: 2,
    reads: ['resourceDisplayName'],
  },
];

describe('recorded calls of tools', () => {
  test.each(calls)('§10 $tool', async ({ path, headers = {}, rows, reads }) => {
    const { status, body, text } = await server.ask(encode(path()), { headers });
    expect([status, text]).toEqual([200, text]);
    expect(body.value).toHaveLength(rows);
    for (const row of nonEmpty(body.value ?? [])) {
      expect(Object.keys(row)).toEqual(expect.arrayContaining([...reads]));
    }
  });

  test('§10 MSIdentityTools: the order is ascending, and CIPP: it is descending', async () => {
    const at = async (order: string) => {
      const { body } = await server.ask(encode(`/beta/auditLogs/signIns?$orderby=createdDateTime ${order}&$top=1`));
      return body.value?.[0]?.['createdDateTime'];
    };
    expect([await at('asc'), await at('desc')]).toEqual(['2026-01-05T09:00:00.000Z', '2026-01-05T10:00:00.000Z']);
  });

  test('§10 CIPP: a next link works in a batch after its root was cut', async () => {
    const first = await server.ask('/beta/auditLogs/signIns?$top=1');
    const link = String(first.body['@odata.nextLink']);
    const url = link.slice(link.indexOf('/beta/') + '/beta/'.length);
    const { body } = await server.ask('/beta/$batch', {
      method: 'POST',
      body: { requests: [{ id: '1', method: 'GET', url }] },
    });
    expect(body['responses']).toMatchObject([{ status: 200, body: { value: [{ appDisplayName: 'Portal' }] } }]);
  });

  test('DIR91: names and error codes are those of the provider', async () => {
    const [row = {}] = (await server.ask('/beta/auditLogs/signIns?$top=1')).body.value ?? [];
    expect([row['resourceDisplayName'], row['userId']]).toEqual(['Microsoft Graph', userId]);
    const authorization = `Bearer ${await server.token({ user: 'ada', permissions: ['AuditLog.Read.All'] })}`;
    const denied = await server.ask('/beta/auditLogs/signIns', { headers: { authorization } });
    expect([denied.status, denied.body.error?.code]).toEqual([403, 'Authentication_RequestFromUnsupportedUserRole']);
  });
});
