import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, signInAt, signOutAt, tenantId, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'test-public', kind: 'public', anyLoopbackRedirect: true, postLogoutRedirectUris: [application] },
];

describe.each(['default', 'demo'])('CL80: ID token hints of sandbox %s, whose form is another one', (id) => {
  it('the plain form accepts the hint of the tenant form, asks nothing, and ends the session', async () => {
    const { at, issuer } = await tenantServer({ id, clients });
    const { body, browser } = await signInAt(at());
    const query = new URLSearchParams({
      id_token_hint: String(body['id_token']),
      post_logout_redirect_uri: application,
    });
    const shown = await browser.load(`${issuer}/oauth2/end_session?${query}`);
    expect(shown.page?.name).toBe('hand-over');
    expect((await browser.press(shown, 'Continue')).address).toBe(application);
    const party = await RelyingParty.discover(issuer, { id: 'test-public' });
    expect((await browser.load((await party.ask()).url)).page?.name).toBe('name');
  });

  it('the tenant form accepts the hint of the plain form', async () => {
    const { serverUrl, issuer } = await tenantServer({ id, clients });
    const party = await RelyingParty.discover(issuer, { id: 'test-public' });
    const browser = appBrowser();
    const tokens = await party.signIn(browser);
    const query = new URLSearchParams({ id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: application });
    const url = `${serverUrl}/${tenantId}/oauth2/v2.0/logout?${query}`;
    const shown = await browser.load(url);
    expect(shown.page?.name).toBe('hand-over');
    expect((await signOutAt(url, browser)).address).toBe(application);
    expect((await browser.load((await party.ask()).url)).page?.name).toBe('name');
  });

  it('a silent request accepts the hint of the other form for the same user alone', async () => {
    const { at, issuer } = await tenantServer({ id, clients });
    const { body, browser } = await signInAt(at());
    const party = await RelyingParty.discover(issuer, { id: 'test-public' });
    const silent = async (hint: unknown) =>
      answerAt(await browser.load((await party.ask({ prompt: 'none', id_token_hint: String(hint) })).url));
    expect(await silent(body['id_token'])).toHaveProperty('code');
    const request = await party.ask();
    const other = await appBrowser().signIn(request.url, 'ben@example.test');
    const tokens = await party.redeem(other, request);
    const atTenant = getAuthorizeUrl(at(), { prompt: 'none', id_token_hint: tokens.id_token ?? '' });
    expect(answerAt(await browser.load(atTenant))).toMatchObject({ error: 'login_required' });
  });

  it('an access token, a changed token and a token for another client are no hints', async () => {
    const { at, issuer } = await tenantServer({ id, clients });
    const { body, browser } = await signInAt(at());
    const [head = '', payload = '', signature = ''] = String(body['id_token']).split('.');
    const changed = { ...decodeJwt(String(body['id_token'])), sub: 'ben' };
    const forged = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    for (const hint of nonEmpty([String(body['access_token']), forged, `${head}.${payload}.AAAA`])) {
      const query = new URLSearchParams({ id_token_hint: hint, client_id: 'test-public' });
      expect((await browser.load(`${issuer}/oauth2/end_session?${query}`)).page?.name).toBe('problem');
    }
    const query = new URLSearchParams({ id_token_hint: String(body['id_token']), client_id: 'test-service' });
    expect((await browser.load(`${issuer}/oauth2/end_session?${query}`)).page?.name).toBe('problem');
  });
});
