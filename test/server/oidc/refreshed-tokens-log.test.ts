import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { type OidcServer, startMs } from './oidc-server.ts';
import { appBrowser } from './relying-party.ts';
import { postForm, readJson, signInAt, type TenantServer, tenantServer } from './tenant-server.ts';

type Row = Readonly<Record<string, unknown>>;

const noninteractive = "$filter=signInEventTypes/any(t: t eq 'nonInteractiveUser')";

async function readRows({ sandbox, serverUrl }: OidcServer, query = ''): Promise<readonly Row[]> {
  const { access_token: token } = await sandbox.tokens.issue({ app: 'reader', permissions: ['AuditLog.Read.All'] });
  const url = `${serverUrl}/beta/auditLogs/signIns?${encodeURI(query)}`;
  const { status, body } = await readJson(url, { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(200);
  return body['value'] as readonly Row[];
}

function refresh(server: TenantServer, token: unknown) {
  const form = { client_id: 'test-public', grant_type: 'refresh_token', refresh_token: String(token) };
  return postForm(`${server.at()}/oauth2/v2.0/token`, form);
}

it('DIR71, A78: a refresh of tokens is a noninteractive row, which only a filter that names such rows shows', async () => {
  const server = await tenantServer();
  const { body } = await signInAt(server.at());
  const [interactive, ...others] = await readRows(server);
  expect([interactive?.['isInteractive'], others]).toEqual([true, []]);
  await server.sandbox.clock.advance({ minutes: 10 });
  expect((await refresh(server, body['refresh_token'])).status).toBe(200);
  expect(await readRows(server)).toEqual([interactive]);
  for (const query of [noninteractive, '$filter=isInteractive eq false']) {
    expect(await readRows(server, query)).toEqual([
      {
        ...interactive,
        id: expect.not.stringMatching(String(interactive?.['id'])),
        correlationId: expect.any(String),
        originalRequestId: expect.any(String),
        sessionId: expect.any(String),
        createdDateTime: new Date(startMs + 600_000).toISOString(),
        isInteractive: false,
        signInEventTypes: ['nonInteractiveUser'],
        authenticationRequirement: 'singleFactorAuthentication',
        authenticationDetails: [
          expect.objectContaining({ authenticationMethod: 'Previously satisfied', succeeded: true }),
        ],
        status: expect.objectContaining({ errorCode: 0 }),
      },
    ]);
  }
  const [row] = await readRows(server, noninteractive);
  expect(await readRows(server, `$filter=id eq '${row?.['id']}' and isInteractive eq false`)).toEqual([row]);
});

it('DIR71: a rejected refresh has no row, and no refresh is a sign-in of the sandbox', async () => {
  const server = await tenantServer();
  const { body } = await signInAt(server.at());
  const signIns = server.sandbox.signIns.list({ limit: 100 }).length;
  expect((await refresh(server, body['refresh_token'])).status).toBe(200);
  expect((await refresh(server, body['refresh_token'])).status).toBe(400);
  expect(await readRows(server, noninteractive)).toHaveLength(1);
  expect(server.sandbox.signIns.list({ limit: 100 })).toHaveLength(signIns);
});

it('DIR71: the row of a device names its protocol', async () => {
  const clients = [{ id: 'test-public', kind: 'public', grants: ['device_code'] }];
  const server = await tenantServer({ clients });
  const scope = 'openid offline_access';
  const { body: begun } = await postForm(`${server.at()}/oauth2/v2.0/devicecode`, { client_id: 'test-public', scope });
  const browser = appBrowser();
  const shown = await browser.press(await browser.load(`${server.issuer}/device`), 'Next', {
    Code: String(begun['user_code']),
  });
  const named = await browser.press(await browser.press(shown, 'Continue'), 'Next', { Username: 'ada@example.test' });
  const known = await browser.press(named, 'Sign in', { Password: 'correct horse' });
  expect((await browser.press(known, 'Verify', { Code: '123456' })).page?.name).toBe('device-done');
  const { body } = await postForm(`${server.at()}/oauth2/v2.0/token`, {
    client_id: 'test-public',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: String(begun['device_code']),
  });
  const refreshed = await refresh(server, body['refresh_token']);
  expect((await refresh(server, refreshed.body['refresh_token'])).status).toBe(200);
  expect((await readRows(server, noninteractive)).map((row) => row['authenticationProtocol'])).toEqual([
    'deviceCode',
    'deviceCode',
  ]);
});

it('DIR71: the rows of refreshes survive a restart', async () => {
  const path = join(temporaryFolder(), 'journal.db');
  const first = await tenantServer({ store: SqliteStore.open(path) });
  const { body } = await signInAt(first.at());
  await refresh(first, body['refresh_token']);
  const rows = await readRows(first, noninteractive);
  expect(rows).toHaveLength(1);
  await first.close();
  expect(await readRows(await tenantServer({ store: SqliteStore.open(path) }), noninteractive)).toEqual(rows);
});
