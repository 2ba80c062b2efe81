import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, signInAt, signOutAt, tenantServer } from './tenant-server.ts';

/** Client whose ID tokens contain `sid`, because it is notified of sign-outs. */
const notified = {
  id: 'test-public',
  kind: 'public',
  anyLoopbackRedirect: true,
  frontchannelLogoutUri: 'https://shop.example/frontchannel',
  postLogoutRedirectUris: ['http://localhost:9/left'],
};

const withClaim = { ...notified, claims: { idToken: ['login_hint'] } };

const silentAnswer = async (
  at: string,
  browser: ReturnType<typeof appBrowser>,
  parameters: Readonly<Record<string, string>>,
) => answerAt(await browser.load(getAuthorizeUrl(at, { prompt: 'none', ...parameters })));

describe('CL25: sid', () => {
  it('selects the session of the browser: its own one signs in, and another one requires a sign-in', async () => {
    const { at } = await tenantServer({ clients: [notified] });
    const [one, other] = [await signInAt(at()), await signInAt(at())];
    const [sid = '', foreign = ''] = [one, other].map(({ body }) => String(decodeJwt(String(body['id_token']))['sid']));
    expect(sid).not.toBe(foreign);
    expect(await silentAnswer(at(), one.browser, { sid })).toHaveProperty('code');
    for (const unknown of nonEmpty([foreign, 'none'])) {
      expect(await silentAnswer(at(), one.browser, { sid: unknown })).toMatchObject({ error: 'login_required' });
      expect((await one.browser.load(getAuthorizeUrl(at(), { sid: unknown }))).page?.name).toBe('name');
    }
    // The sign-in that the request led to is accepted, although its session has an identifier of its own.
    const again = await one.browser.signIn(getAuthorizeUrl(at(), { sid: 'none' }), 'ben@example.test');
    expect(answerAt(again)).toHaveProperty('code');
    expect(await silentAnswer(at(), one.browser, { sid })).toMatchObject({ error: 'login_required' });
  });

  it('is the same in the plain form, and in a pushed request', async () => {
    const { issuer } = await tenantServer({ clients: [notified] });
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    const sid = String((await party.signIn(browser)).claims()?.['sid']);
    for (const [named, member] of nonEmpty([
      [sid, 'code'],
      ['none', 'error'],
    ] as const)) {
      const { url } = await party.ask({ prompt: 'none', sid: named });
      expect(answerAt(await browser.load(url))).toHaveProperty(member);
    }
  });
});

describe('CL25: login_hint as a claim', () => {
  it('is in ID tokens of the tenant form if the claims of the client or of the request name it', async () => {
    const { at, issuer } = await tenantServer({ clients: [withClaim, { ...notified, id: 'other' }] });
    const listed = await signInAt(at());
    expect(decodeJwt(String(listed.body['id_token']))).toHaveProperty('login_hint');
    const claims = JSON.stringify({ id_token: { login_hint: null } });
    const plain = await (await RelyingParty.discover(issuer)).signIn(appBrowser(), { claims });
    expect(plain.claims()).not.toHaveProperty('login_hint');
  });

  it('is not in ID tokens otherwise, and a request can ask for it', async () => {
    const { at } = await tenantServer({ clients: [notified] });
    const [without, requested] = [
      await signInAt(at()),
      await signInAt(at(), { claims: JSON.stringify({ id_token: { login_hint: null } }) }),
    ];
    expect(decodeJwt(String(without.body['id_token']))).not.toHaveProperty('login_hint');
    expect(decodeJwt(String(requested.body['id_token']))).toHaveProperty('login_hint');
  });

  it('its value selects the user, also after a change of the name, and an unknown value has no effect', async () => {
    const { at, sandbox } = await tenantServer({ clients: [withClaim] });
    const { body, browser } = await signInAt(at());
    const login_hint = String(decodeJwt(String(body['id_token']))['login_hint']);
    expect(login_hint).not.toContain('ada');
    await sandbox.directory.patchUser('ada', { userPrincipalName: 'augusta@example.test' });
    const first = await appBrowser().load(getAuthorizeUrl(at(), { login_hint }));
    expect(first.text).toContain('augusta@example.test');
    expect(await silentAnswer(at(), browser, { login_hint })).toHaveProperty('code');
    const ben = appBrowser();
    await ben.signIn(getAuthorizeUrl(at()), 'ben@example.test');
    expect(await silentAnswer(at(), ben, { login_hint })).toMatchObject({ error: 'login_required' });
    expect(await silentAnswer(at(), ben, { login_hint: 'O.AAAA' })).toHaveProperty('code');
  });

  it('CL80: its value is a logout_hint', async () => {
    const { at } = await tenantServer({ clients: [withClaim] });
    const { body, browser } = await signInAt(at());
    const idToken = String(body['id_token']);
    const hint = String(decodeJwt(idToken)['login_hint']);
    const load = async (logout_hint: string) => {
      const query = new URLSearchParams({ id_token_hint: idToken, logout_hint });
      return browser.load(`${at()}/oauth2/v2.0/logout?${query}`);
    };
    expect((await load('O.AAAA')).page?.name).toBe('sign-out');
    expect((await load(hint)).page?.name).toBe('hand-over');
    await signOutAt(`${at()}/oauth2/v2.0/logout?${new URLSearchParams({ id_token_hint: idToken })}`, browser);
    expect(await silentAnswer(at(), browser, {})).toMatchObject({ error: 'login_required' });
  });
});

describe('CL25: the other parameters, in the tenant form', () => {
  it('login_hint by name, max_age and acr_values work as in the plain form', async () => {
    const { at, sandbox } = await tenantServer();
    const browser = appBrowser();
    await signInAt(at(), {}, browser);
    expect(await silentAnswer(at(), browser, { login_hint: 'ben@example.test' })).toMatchObject({
      error: 'login_required',
    });
    expect(await silentAnswer(at(), browser, { login_hint: 'ADA@example.test' })).toHaveProperty('code');
    await sandbox.clock.advance({ minutes: 2 });
    expect(await silentAnswer(at(), browser, { max_age: '120' })).toHaveProperty('code');
    expect(await silentAnswer(at(), browser, { max_age: '119' })).toMatchObject({ error: 'login_required' });
    const arabic = await appBrowser().load(getAuthorizeUrl(at(), { ui_locales: 'ar' }));
    expect(arabic.text).toContain('<html lang="ar"');
  });
});
