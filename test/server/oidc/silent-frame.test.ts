import { readFileSync } from 'node:fs';
import { CookieJar } from 'tough-cookie';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localCertificate } from '../../../src/server/https-certificate.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { nonEmpty } from '../../non-empty.ts';
import { ApplicationBrowser } from './application-browser.ts';
import { type OidcServer, oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

const client = { id: 'spa', kind: 'public', redirectUris: [application], corsOrigins: ['https://spa.example'] };
const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };

async function silentUrl({ issuer }: OidcServer, parameters: Readonly<Record<string, string>> = {}) {
  const party = await RelyingParty.discover(issuer, { id: 'spa' });
  return (await party.ask({ prompt: 'none', ...parameters })).url;
}

const requestFrom = async (url: URL, headers: Readonly<Record<string, string>>) =>
  fetch(url, { headers, redirect: 'manual' });

describe('CL66: prompt=none in a frame of another site without a session cookie', () => {
  it.each([
    ['query', {}],
    ['fragment', { response_mode: 'fragment' }],
  ])('the description of login_required says what to do, %s', async (_title, parameters) => {
    const server = await oidcServer({ clients: [client] });
    const response = await requestFrom(await silentUrl(server, parameters), frame);
    const { error, error_description: description } = answerAt({ address: response.headers.get('location') ?? '' });
    expect([error, description]).toEqual(['login_required', expect.stringContaining('--https')]);
  });

  it('the server reports it once, and the request log with each request', async () => {
    const server = await oidcServer({ clients: [client] });
    for (const mode of ['query', 'fragment', 'form_post']) {
      await requestFrom(await silentUrl(server, { response_mode: mode }), frame);
    }
    await requestFrom(await silentUrl(server), {});
    expect(server.findings).toEqual([{ sandbox: 'default', message: expect.stringContaining('--https') }]);
    const response = await fetch(`${server.serverUrl}/_control/v1/sandboxes/default/requests?path=/oauth2/authorize`);
    const { requests } = (await response.json()) as { readonly requests: readonly { readonly finding?: string }[] };
    const message = server.findings[0]?.message;
    expect(requests.map(({ finding }) => finding)).toEqual([message, message, message, undefined]);
  });

  it('a response by form contains it too', async () => {
    const server = await oidcServer({ clients: [client] });
    const response = await requestFrom(await silentUrl(server, { response_mode: 'form_post' }), frame);
    const page = await response.text();
    expect(page).toContain('value="login_required"');
    expect(page).toContain('--https');
  });

  it.each([
    ['a frame of the same site', { ...frame, 'sec-fetch-site': 'same-site' }],
    ['no frame', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
    ['a browser with a cookie', { ...frame, cookie: 'nudgelab-default-session=other' }],
  ])('%s: the description is that of the protocol', async (_title, headers) => {
    const server = await oidcServer({ clients: [client] });
    const response = await requestFrom(await silentUrl(server), headers);
    const { error, error_description: description } = answerAt({ address: response.headers.get('location') ?? '' });
    expect([error, description]).toEqual(['login_required', expect.not.stringContaining('--https')]);
  });
});

describe('CL67: frames', () => {
  it('a response to prompt=none by form can be framed by the origins of the client alone', async () => {
    const server = await oidcServer({ clients: [client] });
    const { headers } = await requestFrom(await silentUrl(server, { response_mode: 'form_post' }), {});
    expect(headers.get('content-security-policy')).toContain(
      `frame-ancestors https://spa.example ${new URL(application).origin};`,
    );
    expect(headers.get('x-frame-options')).toBeNull();
  });

  it('a client with anyLoopbackRedirect can frame it from this machine', async () => {
    const server = await oidcServer({
      clients: [{ id: 'spa', kind: 'public', anyLoopbackRedirect: true }],
    });
    const { headers } = await requestFrom(await silentUrl(server, { response_mode: 'form_post' }), {});
    expect(headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:* https://localhost:*');
  });

  it.each([
    ['the first page of a sign-in', {}],
    ['an error page', { redirect_uri: 'https://elsewhere.example/' }],
    ['an error page of prompt=none', { prompt: 'none', redirect_uri: 'https://elsewhere.example/' }],
    ['a response by form with a page before it', { response_mode: 'form_post' }],
  ])('no page can frame %s', async (_title, parameters) => {
    const server = await oidcServer({ clients: [client] });
    const party = await RelyingParty.discover(server.issuer, { id: 'spa' });
    const shown = await appBrowser().signIn((await party.ask(parameters)).url);
    if (!shown.address.startsWith(application)) {
      expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(shown.headers.get('x-frame-options')).toBe('DENY');
    }
    const first = await appBrowser().load((await party.ask(parameters)).url);
    expect(first.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('CL65: session cookies', () => {
  async function cookiesOver(scheme: 'http' | 'https', cookies?: 'lax' | 'none') {
    const certificate = scheme === 'https' ? await localCertificate(temporaryFolder()) : undefined;
    const settings = cookies === undefined ? {} : { identity: { cookies } };
    const { issuer } = await oidcServer({ clients: [client], settings, tls: certificate });
    const agent =
      certificate === undefined
        ? undefined
        : new Agent({ connect: { ca: readFileSync(certificate.authorityPath, 'utf8') } });
    onTestFinished(async () => agent?.close());
    const jar = new CookieJar();
    const browser = new ApplicationBrowser({
      application: new URL(application).origin,
      jar,
      ...(agent === undefined ? {} : { dispatcher: agent }),
    });
    const request = {
      client_id: 'spa',
      redirect_uri: application,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    await browser.signIn(`${issuer}/oauth2/authorize?${new URLSearchParams(request)}`);
    return jar
      .getCookiesSync(`${issuer}/oauth2/authorize`)
      .filter(({ key }) => /-session(?:\.sig)?$/.test(key))
      .map(({ sameSite, secure }) => ({ sameSite, secure }));
  }

  it.each([
    ['http', undefined, 'lax', false],
    ['http', 'none', 'lax', false],
    ['https', undefined, 'none', true],
    ['https', 'none', 'none', true],
    ['https', 'lax', 'lax', true],
  ] as const)('over %s with cookies %s they are SameSite=%s, Secure %s', async (scheme, cookies, sameSite, secure) => {
    for (const cookie of nonEmpty(await cookiesOver(scheme, cookies))) expect(cookie).toEqual({ sameSite, secure });
  });

  it.each(['/oauth2/end_session/confirm', '/oauth2/verify-device'])(
    '%s rejects a form from a page of another origin',
    async (path) => {
      const { issuer } = await oidcServer({ clients: [client] });
      const send = (origin: string) =>
        fetch(`${issuer}${path}`, { method: 'POST', headers: { origin }, body: new URLSearchParams({ xsrf: '1' }) });
      expect((await send('https://elsewhere.example')).status).toBe(403);
      expect((await send(new URL(issuer).origin)).status).not.toBe(403);
    },
  );
});
