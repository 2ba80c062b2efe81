import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { oidcServer, startMs } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';

const path = 'v1.0/policies/authenticationMethodsPolicy';

async function policyStatus(issuer: string, token: string): Promise<number> {
  return (await fetch(`${issuer}/${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('virtual clock of the sandbox', () => {
  it.each(['2030-06-07T08:09:10.000Z', '2020-01-01T00:00:00.000Z'])(
    'at %s all times in tokens use the virtual clock, and a client with the same time accepts them',
    async (instant) => {
      const nowMs = Date.parse(instant);
      const { issuer } = await oidcServer({ clock: { nowMs, running: false } });
      const party = await RelyingParty.discover(issuer, { nowMs });
      const browser = appBrowser();
      const tokens = await party.signIn(browser);
      const seconds = nowMs / 1000;
      expect(tokens.claims()).toMatchObject({ iat: seconds, exp: seconds + 3_600, auth_time: seconds });
      // Browsers use the real clock, so cookies may not have an expiry in sandbox time.
      for (const cookie of nonEmpty(browser.jar.getCookiesSync(`${issuer}/oauth2/authorize`))) {
        expect(cookie.expires).toBe('Infinity');
      }
      expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toHaveProperty('code');
    },
  );

  it('after advancing one day, yesterday’s tokens are rejected everywhere, even if they were accepted before', async () => {
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

  it('after setting the clock back, a token from the future is rejected everywhere until its time is reached', async () => {
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

  it('a code, an interaction and a refresh token expire at their times', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask();
    const page = await appBrowser().signIn(request.url);
    await sandbox.clock.advance({ minutes: 6 });
    await expect(party.redeem(page, request)).rejects.toMatchObject({ error: 'invalid_grant' });
    const waiting = await appBrowser().load((await party.ask()).url);
    await sandbox.clock.advance({ hours: 2 });
    expect(await appBrowser().load(waiting.address)).toMatchObject({ status: 404, page: { name: 'problem' } });
  });

  it('outside of a sandbox the global Date is the real one, even while a sandbox handles a request', async () => {
    const { issuer } = await oidcServer({ clock: { nowMs: 0, running: false } });
    const before = Date.now();
    const answered = fetch(`${issuer}/.well-known/openid-configuration`);
    expect(Date.now()).toBeGreaterThanOrEqual(before);
    expect((await answered).status).toBe(200);
    expect(Date.now()).toBeGreaterThanOrEqual(before);
  });
});
