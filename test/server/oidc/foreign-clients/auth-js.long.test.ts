import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { CookieJar } from 'tough-cookie';
import { fetch as fetchBy } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { runGuide } from '../guide-code.ts';
import { answerAt } from '../relying-party.ts';
import { type SecureTenant, secureTenant } from '../secure-tenant.ts';

installOnDemand('test/server/oidc/foreign-clients');

const guide = 'docs/how-to/auth-js.md';
const provider = 'microsoft-entra-id';

/** Loads the modules of the guide. Their types would replace those of Node.js by those of browsers. */
async function loadModules(): Promise<Readonly<Record<string, object>>> {
  return {
    '@auth/express': (await import(import.meta.resolve('@auth/express'))) as object,
    '@auth/express/providers/microsoft-entra-id': (await import(
      import.meta.resolve('@auth/express/providers/microsoft-entra-id')
    )) as object,
    express: { default: express },
  };
}

/** Starts the application of the guide. */
async function startApplication({ values }: SecureTenant, further: Readonly<Record<string, string>> = {}) {
  const modules = await loadModules();
  const { app } = await runGuide<{ readonly app: express.Express }>(guide, 'ExpressAuth', modules, {
    ...values,
    ...further,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Browser tab at the application, with its cookies. */
class Visitor {
  readonly #jar = new CookieJar();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Sends a request to the application. Redirects are not followed. */
  async send(path: string, form?: Readonly<Record<string, string>>) {
    const url = new URL(path, this.#origin).href;
    const response = await fetchBy(url, {
      redirect: 'manual',
      headers: { cookie: this.#jar.getCookieStringSync(url) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#jar.setCookieSync(cookie, url);
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  }

  /** Starts a sign-in. Returns the URL of the authorization request. */
  async begin(): Promise<string> {
    const { csrfToken } = JSON.parse((await this.send('/auth/csrf')).text) as { readonly csrfToken: string };
    return (await this.send(`/auth/signin/${provider}`, { csrfToken })).location;
  }

  async session(): Promise<unknown> {
    return JSON.parse((await this.send('/auth/session')).text);
  }
}

it.each(['default', 'demo'])('CL88: Auth.js signs in a user of sandbox %s by its provider for tenants', async (id) => {
  const server = await secureTenant({ id });
  const origin = await startApplication(server);
  const visitor = new Visitor(origin);
  const url = await visitor.begin();
  expect(url.startsWith(`${server.authority}/oauth2/v2.0/authorize?`)).toBe(true);
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${origin}/auth/callback/${provider}`);
  const browser = server.openBrowser(origin);
  const back = await browser.signIn(url);
  expect(answerAt(back)).toHaveProperty('code');
  const finished = await visitor.send(back.address);
  expect([finished.status, new URL(finished.location).pathname]).toEqual([302, '/']);
  expect(await visitor.session()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.test' } });
});

it('Auth.js rejects a sign-in if the secret is wrong', async () => {
  // The library prints the error of the provider.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const server = await secureTenant();
  const origin = await startApplication(server, { "'test-secret'": "'wrong'" });
  const visitor = new Visitor(origin);
  const back = await server.openBrowser(origin).signIn(await visitor.begin());
  const finished = await visitor.send(back.address);
  expect(finished.location).toContain('error=OAuthCallbackError');
  expect(await visitor.session()).toBeNull();
});

it('NextAuth.js finds the discovery document with the id of the application in its query', async () => {
  const { authority } = await secureTenant();
  const response = await fetch(`${authority}/v2.0/.well-known/openid-configuration?appid=test-web`);
  expect([response.status, ((await response.json()) as { issuer: string }).issuer]).toEqual([200, `${authority}/v2.0`]);
});
