import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application } from './relying-party.ts';

it.each(['default', 'demo'])('oidc-client-ts signs in a user of sandbox %s, refreshes, and signs out', async (id) => {
  const { issuer } = await oidcServer({ id, clock: { nowMs: Date.now(), running: true } });
  const client = new OidcClient({
    authority: issuer,
    client_id: 'test-public',
    redirect_uri: application,
    post_logout_redirect_uri: application,
    scope: 'openid profile Policy.Read.All',
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const browser = appBrowser();
  const { url } = await client.createSigninRequest({ state: 'mine' });
  const answer = await client.processSigninResponse((await browser.signIn(url)).address);
  expect(answer).toMatchObject({ userState: 'mine', scope: 'openid profile Policy.Read.All' });
  expect(answer.profile).toMatchObject({ iss: issuer, sub: 'ada', name: 'Ada' });
  expect(answer.expires_in).toBeGreaterThan(3_500);
  const refreshed = await client.useRefreshToken({
    state: {
      refresh_token: answer.refresh_token ?? '',
      id_token: answer.id_token ?? '',
      session_state: null,
      scope: answer.scope ?? '',
      profile: answer.profile,
    } as never,
  });
  expect(refreshed.access_token).not.toBe(answer.access_token);
  const { url: outUrl } = await client.createSignoutRequest({ id_token_hint: answer.id_token ?? '', state: 'out' });
  const left = await browser.press(await browser.load(outUrl), 'Continue');
  expect((await client.processSignoutResponse(left.address)).userState).toBe('out');
  const silent = await client.createSigninRequest({ prompt: 'none' });
  expect(answerAt(await browser.load(silent.url))).toMatchObject({ error: 'login_required' });
});
