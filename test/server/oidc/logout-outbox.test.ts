import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logoutTokensMax } from '../../../src/core/limits.ts';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { LogoutOutbox } from '../../../src/server/oidc/logout-outbox.ts';
import { OidcRecordStore } from '../../../src/server/oidc/oidc-record-store.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type OidcServer, oidcServer, startMs } from './oidc-server.ts';
import { appBrowser, RelyingParty } from './relying-party.ts';

const client = (uri: string) => ({
  id: 'shop',
  kind: 'public',
  anyLoopbackRedirect: true,
  backchannelLogoutUri: uri,
});
const elsewhere = 'https://shop.example/backchannel';

interface Notice {
  readonly user: string;
  readonly logoutToken: string;
  readonly delivery: { readonly status: number | null; readonly error: string | null } | null;
}

async function outbox({ serverUrl }: OidcServer): Promise<readonly Notice[]> {
  const response = await fetch(`${serverUrl}/_control/v1/sandboxes/default/logout-tokens`);
  return ((await response.json()) as { readonly logoutTokens: readonly Notice[] }).logoutTokens;
}

async function signIn({ issuer }: OidcServer, name = 'ada') {
  const browser = appBrowser();
  const party = await RelyingParty.discover(issuer, { id: 'shop' });
  const request = await party.ask();
  await party.redeem(await browser.signIn(request.url, `${name}@example.test`), request);
  return browser;
}

async function signOut(server: OidcServer, name = 'ada'): Promise<void> {
  const browser = await signIn(server, name);
  await browser.press(await browser.load(`${server.issuer}/oauth2/end_session`), 'Sign out');
}

/** Receiver of logout tokens on this machine. */
async function receive(): Promise<{ readonly received: string[]; readonly uri: string }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      received.push(new URLSearchParams(body).get('logout_token') ?? '');
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return { received, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout` };
}

/** Opens the outbox of a server in another way than its own. */
async function openOutbox({ sandbox }: OidcServer): Promise<LogoutOutbox> {
  return new LogoutOutbox(await OidcRecordStore.open(sandbox));
}

/** Token that a server had to deliver when it stopped. */
const pending = (uri: string, token: string, expiresAtMs: number) => ({
  clientId: 'shop',
  userId: 'ada',
  uri,
  token,
  issuedAt: '2026-03-04T05:06:07.000Z',
  expiresAtMs,
  pending: true,
  delivery: null,
});

describe('CL82: outbox after a restart', () => {
  it('has the same tokens in the same order with the results of their delivery, and the journal has none', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { uri } = await receive();
    const clients = [client(uri)];
    const first = await oidcServer({ store: SqliteStore.open(path), clients, deliversLogout: true });
    await signOut(first);
    await signOut(first, 'ben');
    const before = await outbox(first);
    expect(before).toMatchObject([
      { user: 'ada', delivery: { status: 204 } },
      { user: 'ben', delivery: { status: 204 } },
    ]);
    await first.close();
    const second = await oidcServer({ store: SqliteStore.open(path), port: Number(new URL(first.issuer).port) });
    expect(await outbox(second)).toEqual(before);
    const journal = JSON.stringify(await second.sandbox.journal({ after: 0, limit: 1_000 }));
    for (const { logoutToken } of nonEmpty(before)) expect(journal).not.toContain(logoutToken);
  });

  it('CL83: has the token of a user who was deleted just before the server stopped', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const first = await oidcServer({ store: SqliteStore.open(path), clients: [client(elsewhere)] });
    await signIn(first);
    await first.sandbox.directory.removeUser('ada');
    await first.close();
    const second = await oidcServer({ store: SqliteStore.open(path) });
    const tokens = await outbox(second);
    expect(tokens).toMatchObject([{ user: 'ada', delivery: null }]);
    await second.close();
    const third = await oidcServer({ store: SqliteStore.open(path) });
    expect(await outbox(third)).toEqual(tokens);
  });

  it('delivers what the server could not deliver before it stopped, without any request, and only once', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { received, uri } = await receive();
    const first = await oidcServer({ store: SqliteStore.open(path), clients: [client(uri)] });
    const stored = await openOutbox(first);
    await stored.add('late', pending(uri, 'expired', startMs));
    await stored.add('due', pending(uri, 'waiting', startMs + 1));
    await first.close();
    const second = await oidcServer({ store: SqliteStore.open(path), deliversLogout: true });
    await expect.poll(() => received).toEqual(['waiting']);
    await expect.poll(async () => (await outbox(second)).map(({ delivery }) => delivery?.status)).toEqual([null, 204]);
    expect((await outbox(second))[0]?.delivery?.error).toMatch(/expired/);
    await second.close();
    await outbox(await oidcServer({ store: SqliteStore.open(path), deliversLogout: true }));
    expect(received).toEqual(['waiting']);
  });

  it('a server that does not deliver leaves such tokens as they are', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { received, uri } = await receive();
    const first = await oidcServer({ store: SqliteStore.open(path), clients: [client(uri)] });
    await (await openOutbox(first)).add('due', pending(uri, 'waiting', startMs + 1));
    await first.close();
    const second = await oidcServer({ store: SqliteStore.open(path) });
    expect(await outbox(second)).toMatchObject([{ logoutToken: 'waiting', delivery: null }]);
    expect(received).toEqual([]);
  });
});

describe('CL82: size of the outbox', () => {
  it('the next token replaces the oldest, and the result of a delivery changes no place', async () => {
    const server = await oidcServer({ clients: [client(elsewhere)] });
    const stored = await openOutbox(server);
    for (let number = 0; number < logoutTokensMax; number += 1) {
      await stored.add(`t${number}`, pending(elsewhere, `${number}`, startMs));
    }
    await stored.finish('t0', { at: '2026-03-04T05:06:07.000Z', status: 200, error: null });
    expect(stored.list().slice(0, 2)).toMatchObject([
      { token: '0', pending: false, delivery: { status: 200 } },
      { token: '1', pending: true, delivery: null },
    ]);
    await stored.add('newest', pending(elsewhere, 'newest', startMs));
    expect([stored.list().length, stored.list()[0]?.token, stored.list().at(-1)?.token]).toEqual([
      logoutTokensMax,
      '1',
      'newest',
    ]);
    expect(stored.find('t0')).toBeUndefined();
    expect((await openOutbox(server)).list()).toEqual(stored.list());
  });
});
