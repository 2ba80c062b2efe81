import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { oidcServer, startMs } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';

const path = 'v1.0/policies/authenticationMethodsPolicy';

async function policyStatus(issuer: string, token: string): Promise<number> {
  return (await fetch(`${issuer}/${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('the clock of the sandbox', () => {
  it.each(['2030-06-07T08:09:10.000Z', '2020-01-01T00:00:00.000Z'])(
    'at %s every time of every token is of then, and a client told so accepts them',
    async (instant) => {
      const nowMs = Date.parse(instant);
      const { issuer } = await oidcServer({ clock: { nowMs, running: false } });
      const party = await RelyingParty.discover(issuer, { nowMs });
      const browser = appBrowser();
      const tokens = await party.signIn(browser);
      const seconds = nowMs / 1000;
      expect(tokens.claims()).toMatchObject({ iat: seconds, exp: seconds + 3_600, auth_time: seconds });
      // A browser goes by its own clock: no cookie may name an end in the sandbox's.
      for (const cookie of nonEmpty(browser.jar.getCookiesSync(`${issuer}/oauth2/authorize`))) {
        expect(cookie.expires).toBe('Infinity');
      }
      expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toHaveProperty('code');
    },
  );

  it('advanced a day, the tokens of yesterday are refused everywhere, also those that were just accepted', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    const tokens = await party.signIn(undefined, { scope: 'openid Policy.Read.All' });
    expect(await policyStatus(issuer, tokens.access_token)).toBe(200);
    await sandbox.clock.advance({ days: 1 });
    expect(await policyStatus(issuer, tokens.access_token)).toBe(401);
    expect(await client.tokenIntrospection(party.config, tokens.access_token)).toEqual({ active: false });
    await expect(client.fetchUserInfo(party.config, tokens.access_token, 'ada')).rejects.toMatchObject({
      status: 401,
    });
  });

  it('set back, a token of what is now the future is not yet valid anywhere, and is when its time has come', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    const tokens = await party.signIn(undefined, { scope: 'openid Policy.Read.All' });
    const answers = async () => [
      await policyStatus(issuer, tokens.access_token),
      (await fetch(`${issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
      (await client.tokenIntrospection(party.config, tokens.access_token)).active,
    ];
    expect(await answers()).toEqual([200, 200, true]);
    await sandbox.clock.set({ nowMs: startMs - 1_000 });
    expect(await answers()).toEqual([401, 401, false]);
    await sandbox.clock.set({ nowMs: startMs });
    expect(await answers()).toEqual([200, 200, true]);
  });

  it('a code, an interaction and a refresh token end at their times', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const asked = await party.ask();
    const shown = await appBrowser().signIn(asked.url);
    await sandbox.clock.advance({ minutes: 6 });
    await expect(party.redeem(shown, asked)).rejects.toMatchObject({ error: 'invalid_grant' });
    const waiting = await appBrowser().load((await party.ask()).url);
    await sandbox.clock.advance({ hours: 2 });
    expect(await appBrowser().load(waiting.address)).toMatchObject({ status: 404, page: { name: 'problem' } });
  });

  it('outside of a sandbox the global Date is the real one, also while a sandbox answers', async () => {
    const { issuer } = await oidcServer({ clock: { nowMs: 0, running: false } });
    const before = Date.now();
    const answered = fetch(`${issuer}/.well-known/openid-configuration`);
    expect(Date.now()).toBeGreaterThanOrEqual(before);
    expect((await answered).status).toBe(200);
    expect(Date.now()).toBeGreaterThanOrEqual(before);
  });
});
