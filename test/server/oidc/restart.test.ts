import { join } from 'node:path';
import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

it('sessions, refresh tokens, codes, registered clients and keys survive a restart, and none is in the journal', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const first = await oidcServer({ store: SqliteStore.open(path) });
  const browser = appBrowser();
  const party = await RelyingParty.discover(first.issuer, {
    id: 'test-rs256',
    metadata: { id_token_signed_response_alg: 'RS256' },
  });
  const tokens = await party.signIn(browser);
  const request = await party.ask();
  const code = await browser.load(request.url);
  const registered = (await (
    await fetch(`${first.issuer}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [application], token_endpoint_auth_method: 'none' }),
    })
  ).json()) as { client_id: string };
  const journal = JSON.stringify(await first.sandbox.journal({ after: 0, limit: 1_000 }));
  const port = Number(new URL(first.issuer).port);
  await first.close();

  const second = await oidcServer({ store: SqliteStore.open(path), port });
  expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toHaveProperty('code');
  expect((await party.redeem(code, request)).claims()?.sub).toBe('ada');
  const refreshed = await client.refreshTokenGrant(party.config, tokens.refresh_token ?? '');
  expect(await client.fetchUserInfo(party.config, refreshed.access_token, 'ada')).toMatchObject({ sub: 'ada' });
  const newcomer = await RelyingParty.discover(second.issuer, { id: registered.client_id });
  expect(answerAt(await browser.load((await newcomer.ask()).url))).toHaveProperty('code');
  for (const secret of [tokens.access_token, tokens.refresh_token ?? '', answerAt(code)['code'] ?? '']) {
    expect(secret).not.toBe('');
    expect(journal).not.toContain(secret);
  }
});

it('records discarded by a restore are still discarded after a restart', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const first = await oidcServer({ store: SqliteStore.open(path) });
  const browser = appBrowser();
  const party = await RelyingParty.discover(first.issuer);
  await party.signIn(browser);
  await first.sandboxes.reset('default');
  await first.close();
  await oidcServer({ store: SqliteStore.open(path), port: Number(new URL(first.issuer).port) });
  expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
    error: 'login_required',
  });
});
