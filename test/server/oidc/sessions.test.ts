import * as client from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { describe, expect, it } from 'vitest';
import { textsIn } from '../../../src/server/identity/texts/page-texts.ts';
import { ApplicationBrowser } from './application-browser.ts';
import { oidcServer, startMs } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

const hour = { hours: 1 } as const;

describe('sessions and prompts', () => {
  it('R13.1: a second application signs in without a page, and the rules evaluate it as SSO', async () => {
    const { issuer, sandbox } = await oidcServer();
    const browser = appBrowser();
    await (await RelyingParty.discover(issuer)).signIn(browser);
    const second = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    const request = await second.ask();
    const displayed = await browser.load(request.url);
    expect(answerAt(displayed)).toHaveProperty('code');
    expect((await second.redeem(displayed, request)).claims()).toMatchObject({ sub: 'ada', auth_time: startMs / 1000 });
    const [latest, first] = sandbox.signIns.list({ limit: 5 });
    const evaluated = await sandbox.signIns.detail(latest?.id ?? '');
    expect(evaluated.attempt).toMatchObject({ ssoSession: true });
    expect(evaluated.verdict?.rules.find(({ id }) => id === 'R13.1')).toMatchObject({ outcome: 'stopped' });
    expect((await sandbox.signIns.detail(first?.id ?? '')).attempt).toMatchObject({ ssoSession: false });
    expect(sandbox.signIns.list({ limit: 5 })).toHaveLength(2);
  });

  it('prompt=none: returns a code with a session and login_required without one, and never shows a page', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    const before = await browser.load((await party.ask({ prompt: 'none' })).url);
    expect(answerAt(before)).toMatchObject({ error: 'login_required', iss: issuer });
    await party.signIn(browser);
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toHaveProperty('code');
  });

  it('prompt=login and an exceeded max_age require a sign-in, and auth_time is that of the new one', async () => {
    const { issuer, sandbox } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    await sandbox.clock.advance(hour);
    const later = await RelyingParty.discover(issuer, { nowMs: startMs + 3_600_000 });
    const request = await later.ask({ max_age: '7200' });
    expect(answerAt(await browser.load(request.url))).toHaveProperty('code');
    for (const parameters of [{ max_age: '60' }, { prompt: 'login' }]) {
      expect((await browser.load((await later.ask(parameters)).url)).page?.name).toMatch(/^(name|password)$/);
      const tokens = await later.signIn(browser, parameters);
      expect(tokens.claims()?.auth_time).toBe(startMs / 1000 + 3_600);
    }
  });

  it('login_hint preselects the user', async () => {
    const { issuer } = await oidcServer();
    const displayed = await appBrowser().load(
      (await (await RelyingParty.discover(issuer)).ask({ login_hint: 'ben@example.test' })).url,
    );
    expect(displayed.text).toContain('ben@example.test');
  });

  it('login_hint of a user other than the session’s requires that user to sign in; an unknown user has no effect', async () => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    const hint = { login_hint: 'ben@example.test' };
    const silent = await browser.load((await party.ask({ ...hint, prompt: 'none' })).url);
    expect(answerAt(silent)).toMatchObject({ error: 'login_required' });
    for (const name of ['ada@example.test', 'ADA@example.test', 'nobody@example.test']) {
      expect(answerAt(await browser.load((await party.ask({ login_hint: name })).url))).toHaveProperty('code');
    }
    const displayed = await browser.load((await party.ask(hint)).url);
    expect(displayed).toMatchObject({ status: 200, page: { name: 'name' } });
    expect(displayed.text).toContain('ben@example.test');
    // The user decides which account to use: a login hint is only a suggestion.
    const request = await party.ask(hint);
    const tokens = await party.redeem(await browser.signIn(request.url, 'ada@example.test'), request);
    expect(tokens.claims()?.sub).toBe('ada');
    const picker = await browser.load((await party.ask({ ...hint, prompt: 'select_account' })).url);
    expect(answerAt(await browser.press(picker, 'Ada (ada@example.test)'))).toHaveProperty('code');
  });

  it('prompt=select_account lets another user sign in, who then owns the session', async () => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    const request = await party.ask({ prompt: 'select_account' });
    const picker = await browser.load(request.url);
    expect(picker.page?.name).toBe('account-picker');
    expect(picker.text).toContain(`<h1>${textsIn('en').text('account-picker.heading')}</h1>`);
    const other = picker.page?.forms.flatMap(({ buttons }) => buttons).find(({ value }) => value === 'other');
    let displayed = await browser.press(picker, other?.label ?? '');
    // A page without a submitted form shows no validation error.
    expect(displayed).toMatchObject({ status: 200, page: { name: 'name', error: null } });
    displayed = await browser.press(displayed, 'Next', { Username: 'ben@example.test' });
    displayed = await browser.press(displayed, 'Sign in', { Password: 'correct horse' });
    displayed = await browser.press(displayed, 'Verify', { Code: '123456' });
    expect((await party.redeem(displayed, request)).claims()?.sub).toBe('ben');
    const silent = await party.ask({ prompt: 'none' });
    expect((await party.redeem(await browser.load(silent.url), silent)).claims()?.sub).toBe('ben');
  });

  it.each([
    ['prompt=login', { prompt: 'login' }, 'ada@example.test'],
    ['another account', { prompt: 'select_account' }, 'ben@example.test'],
  ])('"stay signed in" applies to %s after it was declined once', async (_what, parameters, userName) => {
    const { issuer, sandbox } = await oidcServer();
    await sandbox.directory.patchSettings({ askToStaySignedIn: true }, 'control-api');
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    const lasting = async () => {
      const cookies = await browser.jar.getCookies(`${issuer}/oauth2/authorize`);
      return cookies.some(({ key, maxAge }) => key.endsWith('-session') && typeof maxAge === 'number');
    };
    await browser.press(await browser.signIn((await party.ask()).url), 'No');
    expect(await lasting()).toBe(false);
    const first = await browser.load((await party.ask(parameters)).url);
    const begun = first.page?.name === 'name' ? first : await browser.press(first, 'Use another account');
    let displayed = await browser.press(begun, 'Next', { Username: userName });
    displayed = await browser.press(displayed, 'Sign in', { Password: 'correct horse' });
    displayed = await browser.press(displayed, 'Verify', { Code: '123456' });
    expect(answerAt(await browser.press(displayed, 'Yes'))).toHaveProperty('code');
    expect(await lasting()).toBe(true);
  });

  it('a session expires after exactly 14 days, and an open interaction after an hour', async () => {
    const { issuer, sandbox } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    const waiting = await browser.load((await party.ask({ prompt: 'login' })).url);
    await sandbox.clock.advance({ hours: 1 });
    expect((await browser.press(waiting, 'Next', { Username: 'ada@example.test' })).page?.name).toBe('problem');
    await sandbox.clock.advance({ days: 13, hours: 22, minutes: 59, ms: 59_000 });
    const later = await RelyingParty.discover(issuer, { nowMs: sandbox.clock.nowMs() });
    expect(answerAt(await browser.load((await later.ask({ prompt: 'none' })).url))).toHaveProperty('code');
    await sandbox.clock.advance({ days: 14 });
    expect(answerAt(await browser.load((await later.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
  });

  it('a restored sandbox has no session of discarded sign-ins', async () => {
    const { issuer, sandboxes } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    await sandboxes.reset('default');
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
    expect((await party.signIn(browser)).claims()?.sub).toBe('ada');
  });

  it('a browser that uses the IP address is redirected to localhost', async () => {
    const { issuer } = await oidcServer({ id: 'demo' });
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask();
    const displayed = await appBrowser().signIn(request.url.href.replace('localhost', '127.0.0.1'));
    expect((await party.redeem(displayed, request)).claims()?.sub).toBe('ada');
  });

  it('a session ends when it expires and when its user is deleted', async () => {
    const { issuer, sandbox } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    await sandbox.directory.removeUser('ada');
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
    const second = appBrowser();
    const request = await party.ask();
    await party.redeem(await second.signIn(request.url, 'ben@example.test'), request);
    await sandbox.clock.advance({ days: 15 });
    expect(answerAt(await second.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
  });
});

describe('consent', () => {
  it('is requested once if a client requires it, and later only for new scopes', async () => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer, { id: 'test-consent' });
    const request = await party.ask();
    const displayed = await browser.signIn(request.url);
    expect(displayed.page?.name).toBe('consent');
    const grant = (page: typeof displayed) => {
      const labels = page.page?.forms.flatMap(({ buttons }) => buttons).find(({ value }) => value === 'grant');
      return browser.press(page, labels?.label ?? '');
    };
    expect((await party.redeem(await grant(displayed), request)).claims()?.sub).toBe('ada');
    expect(answerAt(await browser.load((await party.ask()).url))).toHaveProperty('code');
    const more = await browser.load((await party.ask({ scope: 'openid Policy.Read.All' })).url);
    expect(more.page?.name).toBe('consent');
    expect(more.text.match(/<li>/g)).toHaveLength(1);
    expect(more.text).toContain('Read the policies');
    expect(answerAt(await grant(more))).toHaveProperty('code');
  });

  it('if consent is denied, the application receives access_denied and no code', async () => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const displayed = await browser.signIn(
      (await (await RelyingParty.discover(issuer)).ask({ prompt: 'consent' })).url,
    );
    expect(displayed.page?.name).toBe('consent');
    const refuse = displayed.page?.forms.flatMap(({ buttons }) => buttons).find(({ value }) => value !== 'grant');
    const answer = answerAt(await browser.press(displayed, refuse?.label ?? ''));
    expect(answer).toMatchObject({ error: 'access_denied' });
    expect(answer).not.toHaveProperty('code');
  });
});

describe('sign-out', () => {
  it('is confirmed on a page without scripts, ends the session and its refresh tokens, and redirects back', async () => {
    const { issuer } = await oidcServer({ settings: { identity: { askOnLogout: 'always' } } });
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    const tokens = await party.signIn(browser);
    const url = client.buildEndSessionUrl(party.config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: application,
      state: 'signed out',
    });
    const confirmation = await browser.load(url);
    expect(confirmation.page?.name).toBe('sign-out');
    expect(confirmation.text).not.toContain('<script');
    const left = await browser.press(confirmation, 'Sign out');
    expect(left.address).toBe(`${application}?state=signed+out`);
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
    await expect(client.refreshTokenGrant(party.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('offline_access outlives the session, also in a pushed request', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    for (const pushed of [false, true]) {
      const browser = appBrowser();
      const request = await party.ask({ scope: 'openid offline_access' });
      const url = pushed
        ? await client.buildAuthorizationUrlWithPAR(party.config, request.url.searchParams)
        : request.url;
      const tokens = await party.redeem(await browser.signIn(url), request);
      expect(tokens.scope).toBe('openid offline_access');
      await browser.press(await browser.load(`${issuer}/oauth2/end_session`), 'Sign out');
      const refresh = { scope: 'openid offline_access' };
      const refreshed = await client.refreshTokenGrant(party.config, tokens.refresh_token ?? '', refresh);
      expect(refreshed.claims()?.sub).toBe('ada');
    }
  });

  it.each([
    ['of everything', '', 'Sign out', 'You are signed out', 'login_required'],
    ['of nothing', '', 'Stay signed in', 'You are still signed in', undefined],
    [
      'of one application',
      '?client_id=test-public',
      'Sign out of Test application only',
      'You are signed out of Test application',
      undefined,
    ],
  ])('sign-out %s ends on a page with the correct message', async (_what, query, button, heading, error) => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    const left = await browser.press(await browser.load(`${issuer}/oauth2/end_session${query}`), button);
    expect(left.page?.name).toBe('signed-out');
    expect(left.text).toContain(`<h1>${heading}</h1>`);
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))['error']).toBe(error);
  });

  it('if no user is signed in, the browser may be redirected to the application', async () => {
    const { issuer } = await oidcServer();
    const query = new URLSearchParams({ client_id: 'test-public', post_logout_redirect_uri: application });
    const browser = appBrowser();
    const displayed = await browser.load(`${issuer}/oauth2/end_session?${query}`);
    expect(displayed.page?.name).toBe('hand-over');
    // Browsers also apply the page’s form-action policy to the redirect after a form.
    expect(displayed.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${new URL(issuer).origin} ${new URL(application).origin};`,
    );
    expect((await browser.press(displayed, 'Continue')).address).toBe(application);
  });

  it.each([
    ['https://shop.example/left', 'web-site', true],
    ['https://shop.example/gone?why=out', 'web-site', true],
    ['https://shop.example/callback', 'web-site', false],
    ['https://shop.example/left/', 'web-site', false],
    ['https://shop.example/left?a=b', 'web-site', false],
    ['https://shop.example/gone', 'web-site', false],
    ['https://shop.example/left', 'other-site', false],
    ['https://other.example/left', 'other-site', true],
    ['http://localhost:3000/left', 'web-site', false],
  ])(
    'a sign-out redirects to %s for %s: %s, because only registered URLs are allowed',
    async (address, id, allowed) => {
      const client = { kind: 'web', secret: 'a secret of a test' };
      const { issuer } = await oidcServer({
        clients: [
          {
            ...client,
            id: 'web-site',
            redirectUris: ['https://shop.example/callback'],
            postLogoutRedirectUris: ['https://shop.example/left', 'https://shop.example/gone?why=out'],
          },
          {
            ...client,
            id: 'other-site',
            redirectUris: ['https://other.example/callback'],
            postLogoutRedirectUris: ['https://other.example/left'],
          },
        ],
      });
      const query = new URLSearchParams({ client_id: id, post_logout_redirect_uri: address });
      const browser = new ApplicationBrowser({ application: new URL(address).origin, jar: new CookieJar() });
      const displayed = await browser.load(`${issuer}/oauth2/end_session?${query}`);
      expect([displayed.status, displayed.page?.name]).toEqual(allowed ? [200, 'hand-over'] : [400, 'problem']);
      if (allowed) expect((await browser.press(displayed, 'Continue')).address).toBe(address);
    },
  );

  it('without an application it ends on a page, and a foreign redirect URI is rejected', async () => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    await party.signIn(browser);
    const foreign = `${issuer}/oauth2/end_session?client_id=test-public&post_logout_redirect_uri=https://evil.example/`;
    expect(await browser.load(foreign)).toMatchObject({ status: 400, page: { name: 'problem' } });
    const confirmation = await browser.load(`${issuer}/oauth2/end_session`);
    expect((await browser.press(confirmation, 'Sign out')).page?.name).toBe('signed-out');
  });
});
