import * as nodeFs from 'node:fs';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { CookieJar } from 'tough-cookie';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { temporaryFolder } from '../../../journal/temporary-folder.ts';
import { ApplicationBrowser, type DisplayedPage } from '../application-browser.ts';
import { runGuide } from '../guide-code.ts';
import { oidcServer } from '../oidc-server.ts';

installOnDemand('test/server/oidc/foreign-clients');
const library = await import('express-openid-connect');

const guide = 'docs/how-to/express-openid-connect.md';
const modules = { 'express-openid-connect': library, 'node:fs': nodeFs };

interface Site {
  readonly address: string;
  use(handler: RequestHandler): void;
}

/** Starts a web site whose pages the given handler will protect. */
async function startSite(policyUrl: () => string): Promise<Site> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const app = express();
  const use = (handler: RequestHandler) => {
    app.use(handler);
    app.get('/', (request, response) => void response.json(readUser(request)));
    app.get('/policy', async (request, response) => {
      const { accessToken } = request.oidc;
      const [first = '', fresh] = [accessToken?.access_token, await accessToken?.refresh()];
      const statuses = [first, fresh?.access_token ?? ''].map(async (token) => {
        const { status } = await fetch(policyUrl(), { headers: { authorization: `Bearer ${token}` } });
        return status;
      });
      response.json({ statuses: await Promise.all(statuses), isFresh: fresh?.access_token !== first });
    });
    app.use(tellError);
  };
  server.on('request', app);
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, use };
}

/** Answers with the error code of the sandbox, which the library wraps. */
const tellError: ErrorRequestHandler = (error: { readonly error?: string }, _request, response, next) => {
  if (response.headersSent) next(error);
  else response.status(400).json({ error: error.error });
};

function readUser({ oidc }: Request): object {
  return { user: oidc.user };
}

function openBrowser(): ApplicationBrowser {
  return new ApplicationBrowser({ application: 'nowhere:', jar: new CookieJar() });
}

/** Signs in and submits the form with the response, as the page's script does. */
async function signIn(browser: ApplicationBrowser, address: string, userName?: string): Promise<DisplayedPage> {
  return browser.press(await browser.signIn(`${address}/login`, userName), 'Continue');
}

/** Logout token in the outbox. */
interface Notice {
  readonly uri: string;
  readonly logoutToken: string;
  readonly delivery: { readonly status: number | null; readonly error: string | null } | null;
}

describe('express-openid-connect', () => {
  it('by default: an ID token of RS256 by form_post, and sign-out', async () => {
    const site = await startSite(() => '');
    const clients = [
      {
        id: 'express-site',
        kind: 'public',
        responseTypes: ['id_token'],
        signingAlgorithm: 'RS256',
        redirectUris: [`${site.address}/callback`],
        postLogoutRedirectUris: [site.address],
      },
    ];
    const { issuer } = await oidcServer({ clients, clock: { nowMs: Date.now(), running: true } });
    const values = { 'http://localhost:4700': issuer, 'http://localhost:3000': site.address };
    const { site: handler } = await runGuide<{ readonly site: RequestHandler }>(guide, 'express-site', modules, values);
    site.use(handler);
    const browser = openBrowser();
    const signedIn = await signIn(browser, site.address);
    expect(JSON.parse(signedIn.text)).toMatchObject({
      user: { sub: 'ada', name: 'Ada', email: 'ada@example.test', preferred_username: 'ada@example.test' },
    });
    const left = await browser.load(`${site.address}/logout`);
    expect(left.page?.name).toBe('hand-over');
    await browser.press(left, 'Continue');
    expect((await browser.load(site.address)).page?.name).toBe('name');
  });

  it('code id_token, PAR and private_key_jwt: the policy API, a refresh, and a rejected scope', async () => {
    let policyUrl = '';
    const site = await startSite(() => policyUrl);
    const other = await startSite(() => '');
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const keyFile = join(temporaryFolder(), 'private-key.pem');
    writeFileSync(keyFile, await exportPKCS8(privateKey));
    const clients = [
      {
        id: 'express-caller',
        authMethods: ['private_key_jwt'],
        jwks: { keys: [await exportJWK(publicKey)] },
        responseTypes: ['code id_token'],
        requirePar: true,
        permissions: ['Policy.Read.All'],
        redirectUris: [`${site.address}/callback`, `${other.address}/callback`],
        postLogoutRedirectUris: [site.address],
      },
    ];
    const { issuer } = await oidcServer({ clients, clock: { nowMs: Date.now(), running: true } });
    policyUrl = `${issuer}/v1.0/policies/authenticationMethodsPolicy`;
    const values = {
      'http://localhost:4700': issuer,
      'http://localhost:3000': site.address,
      'private-key.pem': keyFile,
    };
    const declared = await runGuide<{ readonly caller: RequestHandler }>(guide, 'express-caller', modules, values);
    site.use(declared.caller);
    const browser = openBrowser();
    expect(JSON.parse((await signIn(browser, site.address)).text)).toMatchObject({ user: { sub: 'ada' } });
    const called = await browser.load(`${site.address}/policy`);
    expect(JSON.parse(called.text)).toEqual({ statuses: [200, 200], isFresh: true });

    const refused = await runGuide<{ readonly caller: RequestHandler }>(guide, 'express-caller', modules, {
      ...values,
      'http://localhost:3000': other.address,
      'Policy.Read.All': 'Policy.ReadWrite.AuthenticationMethod',
    });
    other.use(refused.caller);
    const { text } = await openBrowser().load(`${other.address}/login`);
    expect(JSON.parse(text)).toEqual({ error: 'invalid_scope' });
  });

  it.each([
    ['from the outbox', false],
    ['by the server', true],
  ])('back-channel logout ends the session of the site; the token is delivered %s', async (_title, deliversLogout) => {
    const site = await startSite(() => '');
    const client = {
      id: 'express-notified',
      kind: 'public',
      responseTypes: ['id_token'],
      signingAlgorithm: 'RS256',
      redirectUris: [`${site.address}/callback`],
      backchannelLogoutUri: `${site.address}/backchannel-logout`,
    };
    const clock = { nowMs: Date.now(), running: true };
    const { issuer, serverUrl } = await oidcServer({ clients: [client], clock, deliversLogout });
    const values = { 'http://localhost:4700': issuer, 'http://localhost:3000': site.address };
    const declared = await runGuide<{ readonly notified: RequestHandler }>(guide, 'express-notified', modules, values);
    site.use(declared.notified);
    const [browser, other] = [openBrowser(), openBrowser()];
    const isSignedIn = async (by: ApplicationBrowser) => (await by.load(site.address)).page === null;
    await signIn(browser, site.address);
    await signIn(other, site.address, 'ben@example.test');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, true]);

    const page = await browser.load(`${issuer}/oauth2/end_session`);
    await browser.press(page, 'Sign out');
    const response = await fetch(`${serverUrl}/_control/v1/sandboxes/default/logout-tokens`);
    const { logoutTokens } = (await response.json()) as { readonly logoutTokens: readonly Notice[] };
    expect(logoutTokens).toMatchObject([{ client: 'express-notified', user: 'ada' }]);
    const [{ uri, logoutToken, delivery } = { uri: '', logoutToken: '', delivery: null }] = logoutTokens;
    if (deliversLogout) expect(delivery).toMatchObject({ status: 204, error: null });
    else {
      expect([delivery, await isSignedIn(browser)]).toEqual([null, true]);
      const deliver = (token: string) =>
        fetch(uri, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
      expect((await deliver(`${logoutToken.slice(0, -8)}AAAAAAAA`)).status).toBe(400);
      expect(await isSignedIn(browser)).toBe(true);
      expect((await deliver(logoutToken)).status).toBe(204);
    }
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, true]);
  });
});
