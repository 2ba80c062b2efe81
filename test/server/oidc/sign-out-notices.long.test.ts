import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toDate } from '../../../src/core/clock.ts';
import { type OidcServer, oidcServer, startMs } from './oidc-server.ts';
import { appBrowser, application, RelyingParty } from './relying-party.ts';

const notified = {
  id: 'shop',
  kind: 'public',
  anyLoopbackRedirect: true,
  backchannelLogoutUri: 'https://shop.example/backchannel',
  frontchannelLogoutUri: 'https://shop.example/frontchannel?tenant=1',
};
const silent = { id: 'news', kind: 'public', anyLoopbackRedirect: true };

type Browser = ReturnType<typeof appBrowser>;

async function signedIn({ issuer }: OidcServer, browser: Browser, id = 'shop') {
  const party = await RelyingParty.discover(issuer, { id });
  const tokens = await party.signIn(browser);
  return { idToken: tokens.id_token ?? '', claims: tokens.claims(), tokens };
}

interface Notice {
  readonly client: string;
  readonly user: string;
  readonly uri: string;
  readonly logoutToken: string;
  readonly delivery: { readonly status: number | null; readonly error: string | null } | null;
}

const control = ({ serverUrl, sandbox }: OidcServer, path: string, init?: RequestInit) =>
  fetch(`${serverUrl}/_control/v1/sandboxes/${sandbox.id}${path}`, init);

async function outbox(server: OidcServer): Promise<readonly Notice[]> {
  const { logoutTokens } = (await (await control(server, '/logout-tokens')).json()) as {
    readonly logoutTokens: readonly Notice[];
  };
  return logoutTokens;
}

const signOut = ({ issuer }: OidcServer, browser: Browser, query: Readonly<Record<string, string>> = {}) =>
  browser.load(`${issuer}/oauth2/end_session?${new URLSearchParams(query)}`);

const unescaped = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)));

describe.each(['default', 'other'])('sandbox %s', (id) => {
  it('CL82: a sign-out puts a logout token in the outbox, signed for the client and valid for 120 seconds', async () => {
    const server = await oidcServer({ id, clients: [notified, silent] });
    const browser = appBrowser();
    const { claims } = await signedIn(server, browser);
    await signedIn(server, browser, 'news');
    expect(await outbox(server)).toEqual([]);
    await browser.press(await signOut(server, browser), 'Sign out');
    const tokens = await outbox(server);
    expect(tokens).toMatchObject([{ client: 'shop', user: 'ada', uri: notified.backchannelLogoutUri, delivery: null }]);
    const { payload, protectedHeader } = await jwtVerify(
      tokens[0]?.logoutToken ?? '',
      createRemoteJWKSet(new URL(`${server.issuer}/oauth2/jwks`)),
      { currentDate: toDate(startMs), audience: 'shop', issuer: server.issuer, typ: 'logout+jwt' },
    );
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload).toEqual({
      iss: server.issuer,
      aud: 'shop',
      sub: 'ada',
      sid: claims?.['sid'],
      iat: Math.floor(startMs / 1000),
      exp: Math.floor(startMs / 1000) + 120,
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(claims?.['sid']).toEqual(expect.any(String));
  });

  it('CL81: the page after a sign-out loads one frame per client with iss and sid, and leads on', async () => {
    const server = await oidcServer({ id, clients: [notified, silent] });
    const browser = appBrowser();
    const { claims } = await signedIn(server, browser);
    await signedIn(server, browser, 'news');
    const request = { client_id: 'news', post_logout_redirect_uri: application, state: 'back' };
    const page = await browser.press(await signOut(server, browser, request), 'Sign out');
    expect([page.status, page.page?.name]).toEqual([200, 'signing-out']);
    const [, source = ''] = /<iframe src="([^"]*)"/.exec(page.text) ?? [];
    const frame = new URL(unescaped(source));
    expect(Object.fromEntries(frame.searchParams)).toEqual({ tenant: '1', iss: server.issuer, sid: claims?.['sid'] });
    expect(page.text.match(/<iframe/g)).toHaveLength(1);
    expect(unescaped(page.text)).toContain(`href="${application}?state=back"`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('frame-src https://shop.example/frontchannel;');
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

it('CL81: a sign-out of one application notifies only that application', async () => {
  const server = await oidcServer({ clients: [notified, { ...notified, id: 'bank' }] });
  const browser = appBrowser();
  await signedIn(server, browser);
  await signedIn(server, browser, 'bank');
  const page = await browser.press(await signOut(server, browser, { client_id: 'bank' }), 'Sign out of bank only');
  expect(page.text.match(/<iframe/g)).toHaveLength(1);
  expect((await outbox(server)).map(({ client }) => client)).toEqual(['bank']);
});

describe('CL83: sid', () => {
  it('is in the ID tokens of every client as soon as one is notified', async () => {
    const server = await oidcServer({ clients: [notified, silent] });
    expect((await signedIn(server, appBrowser(), 'news')).claims).toHaveProperty('sid');
  });

  it('is in no ID token otherwise', async () => {
    const server = await oidcServer({ clients: [silent] });
    expect((await signedIn(server, appBrowser(), 'news')).claims).not.toHaveProperty('sid');
  });

  it.each([
    ['without a notified client', [silent], undefined],
    ['with one', [notified], true],
  ])('discovery says what is supported, %s', async (_title, clients, expected) => {
    const { issuer } = await oidcServer({ clients });
    const document = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<
      string,
      unknown
    >;
    for (const channel of ['frontchannel', 'backchannel']) {
      expect(document[`${channel}_logout_supported`]).toBe(expected);
      expect(document[`${channel}_logout_session_supported`]).toBe(expected);
    }
    expect(document).not.toHaveProperty('check_session_iframe');
  });
});

describe('CL83: logout tokens without a sign-out', () => {
  it.each([
    ['the deletion of the user', (server: OidcServer) => control(server, '/users/ada', { method: 'DELETE' })],
    ['revoke-sessions', (server: OidcServer) => control(server, '/users/ada/revoke-sessions', { method: 'POST' })],
    [
      'the end of the session on the virtual clock',
      ({ sandbox }: OidcServer) => sandbox.clock.set({ nowMs: startMs + 15 * 86_400_000 }),
    ],
  ] as const)('%s', async (_title, act) => {
    const server = await oidcServer({ clients: [notified] });
    const browser = appBrowser();
    const { claims } = await signedIn(server, browser);
    const other = appBrowser();
    const party = await RelyingParty.discover(server.issuer, { id: 'shop' });
    const request = await party.ask();
    await party.redeem(await other.signIn(request.url, 'ben@example.test'), request);
    await act(server);
    const tokens = (await outbox(server)).map(({ logoutToken }) => decodeJwt(logoutToken));
    expect(tokens.filter(({ sub }) => sub === 'ada')).toMatchObject([{ sid: claims?.['sid'] }]);
    expect((await outbox(server)).length).toBe(tokens.length);
    const { text } = await browser.load((await party.ask({ prompt: 'none' })).url);
    expect(text).toBe('');
  });

  it('revoke-sessions ends the session, the refresh tokens and the access tokens of the user alone', async () => {
    const server = await oidcServer({ clients: [notified] });
    const party = await RelyingParty.discover(server.issuer, { id: 'shop' });
    const browser = appBrowser();
    const request = await party.ask({ scope: 'openid offline_access' });
    const tokens = await party.redeem(await browser.signIn(request.url), request);
    const userinfo = () =>
      fetch(`${server.issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect((await userinfo()).status).toBe(200);
    const response = await control(server, '/users/ada/revoke-sessions', { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([200, { sessions: 1 }]);
    expect((await userinfo()).status).toBe(401);
    const refreshed = await fetch(`${server.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'shop',
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token ?? '',
      }),
    });
    expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await browser.load((await party.ask()).url)).page?.name).toBe('name');
    expect((await control(server, '/users/nobody/revoke-sessions', { method: 'POST' })).status).toBe(404);
  });

  it('reading the outbox after the end of a session keeps its refresh token, and adds nothing to the journal', async () => {
    const server = await oidcServer({ clients: [notified] });
    const party = await RelyingParty.discover(server.issuer, { id: 'shop' });
    const request = await party.ask({ scope: 'openid offline_access' });
    const tokens = await party.redeem(await appBrowser().signIn(request.url), request);
    await server.sandbox.clock.set({ nowMs: startMs + 15 * 86_400_000 });
    const { lastSeq } = server.sandbox.recorder.state();
    expect(await outbox(server)).toHaveLength(1);
    expect(server.sandbox.recorder.state().lastSeq).toBe(lastSeq);
    const refreshed = await fetch(`${server.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'shop',
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token ?? '',
      }),
    });
    expect(refreshed.status).toBe(200);
  });

  it('concurrent readers of the outbox add each token once', async () => {
    const server = await oidcServer({ clients: [notified] });
    for (const browser of [appBrowser(), appBrowser(), appBrowser()]) await signedIn(server, browser);
    await server.sandbox.clock.set({ nowMs: startMs + 15 * 86_400_000 });
    await Promise.all([outbox(server), outbox(server), outbox(server)]);
    expect(await outbox(server)).toHaveLength(3);
  });

  it('a reset empties the outbox', async () => {
    const server = await oidcServer({ clients: [notified] });
    const browser = appBrowser();
    await signedIn(server, browser);
    await browser.press(await signOut(server, browser), 'Sign out');
    expect(await outbox(server)).toHaveLength(1);
    await control(server, '/reset', { method: 'POST' });
    expect(await outbox(server)).toEqual([]);
  });
});

describe('CL80: the confirmation of a sign-out', () => {
  type Hints = (idToken: string, other: string) => Readonly<Record<string, string>>;
  const cases: readonly [string, object, Hints, 'sign-out' | 'hand-over'][] = [
    ['without a hint', {}, () => ({}), 'sign-out'],
    ['with a hint', {}, (idToken) => ({ id_token_hint: idToken }), 'hand-over'],
    ['with a hint, always', { askOnLogout: 'always' }, (idToken) => ({ id_token_hint: idToken }), 'sign-out'],
    ['with the hint of another user', {}, (_own, other) => ({ id_token_hint: other }), 'sign-out'],
    ['with the name', {}, (idToken) => ({ id_token_hint: idToken, logout_hint: 'ADA@example.test' }), 'hand-over'],
    ['with the sub', {}, (idToken) => ({ id_token_hint: idToken, logout_hint: 'ada' }), 'hand-over'],
    [
      'with the sid',
      {},
      (idToken) => ({ id_token_hint: idToken, logout_hint: String(decodeJwt(idToken)['sid']) }),
      'hand-over',
    ],
    ['with another name', {}, (idToken) => ({ id_token_hint: idToken, logout_hint: 'ben@example.test' }), 'sign-out'],
    ['with the name alone', {}, () => ({ logout_hint: 'ada@example.test' }), 'sign-out'],
  ];

  it.each(cases)('%s', async (_title, identity, hints, page) => {
    const server = await oidcServer({ clients: [notified], settings: { identity } });
    const browser = appBrowser();
    const { idToken } = await signedIn(server, browser);
    const party = await RelyingParty.discover(server.issuer, { id: 'shop' });
    const request = await party.ask();
    const other = await party.redeem(await appBrowser().signIn(request.url, 'ben@example.test'), request);
    const displayed = await signOut(server, browser, hints(idToken, other.id_token ?? ''));
    expect(displayed.page?.name).toBe(page);
    await browser.press(displayed, page === 'sign-out' ? 'Sign out' : 'Continue');
    expect((await browser.load((await party.ask()).url)).page?.name).toBe('name');
  });

  it('accepts an expired hint, and rejects one of another sandbox and an unregistered URL', async () => {
    const server = await oidcServer({ clients: [{ ...silent, id: 'shop', postLogoutRedirectUris: [application] }] });
    const browser = appBrowser();
    const { idToken } = await signedIn(server, browser);
    await server.sandbox.clock.set({ nowMs: startMs + 7_200_000 });
    const load = async (query: Readonly<Record<string, string>>) => (await signOut(server, browser, query)).page?.name;
    expect(await load({ id_token_hint: idToken, post_logout_redirect_uri: application })).toBe('hand-over');
    const elsewhere = 'https://elsewhere.example/';
    expect(await load({ id_token_hint: idToken, post_logout_redirect_uri: elsewhere })).toBe('problem');
    expect(await load({ id_token_hint: `${idToken.slice(0, -4)}AAAA` })).toBe('problem');
  });
});

describe('CL82: serve --deliver-logout', () => {
  async function listener(answer: (body: string) => number) {
    const received: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => {
        received.push(`${request.headers['content-type']} ${body}`);
        const status = answer(body);
        response.writeHead(status, status === 302 ? { Location: 'http://127.0.0.1:9/' } : {}).end();
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

  it.each([204, 400, 302])('sends each token once to a loopback URL, and stores the status %s', async (status) => {
    const { received, uri } = await listener(() => status);
    const server = await oidcServer({ clients: [{ ...notified, backchannelLogoutUri: uri }], deliversLogout: true });
    const browser = appBrowser();
    await signedIn(server, browser);
    await browser.press(await signOut(server, browser), 'Sign out');
    const tokens = await outbox(server);
    expect(tokens).toMatchObject([{ delivery: { status, error: null } }]);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(received[0]).toContain(`logout_token=${tokens[0]?.logoutToken}`);
  });

  it.each([
    ['another host', 'https://shop.example/backchannel', /loopback/],
    ['a closed port', 'http://127.0.0.1:9/', /connection failed/],
  ])('stores why %s received nothing', async (_title, uri, error) => {
    const server = await oidcServer({ clients: [{ ...notified, backchannelLogoutUri: uri }], deliversLogout: true });
    const browser = appBrowser();
    await signedIn(server, browser);
    await browser.press(await signOut(server, browser), 'Sign out');
    expect(await outbox(server)).toMatchObject([{ delivery: { status: null, error: expect.stringMatching(error) } }]);
  });

  it('sends the tokens of a deleted user without any further request', async () => {
    const { received, uri } = await listener(() => 200);
    const server = await oidcServer({ clients: [{ ...notified, backchannelLogoutUri: uri }], deliversLogout: true });
    await signedIn(server, appBrowser());
    await server.sandbox.directory.removeUser('ada');
    await expect.poll(() => received.length).toBe(1);
  });
});

it('secrets of applications and logout tokens are in neither the journal nor the request log', async () => {
  const server = await oidcServer({ clients: [notified] });
  const browser = appBrowser();
  const { idToken, tokens } = await signedIn(server, browser);
  await browser.press(await signOut(server, browser, { id_token_hint: idToken }), 'Continue');
  const [notice] = await outbox(server);
  const journal = await (await control(server, '/journal?limit=1000')).text();
  const requests = await (await control(server, '/requests?limit=1000')).text();
  expect(journal).toContain('signIn.started');
  for (const secret of [notice?.logoutToken ?? '?', idToken, tokens.access_token]) {
    expect(journal).not.toContain(secret);
    expect(requests).not.toContain(secret);
  }
});
