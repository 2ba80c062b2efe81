import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localCertificate } from '../../../src/server/https-certificate.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { sharedBrowser, stepTimeoutMs } from '../../shared-browser.ts';
import { signIn } from '../browser-acts.ts';
import { serveApplication } from './browser-application.ts';
import { oidcServer } from './oidc-server.ts';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

afterEach(async () => context?.close());

/** Opens the page at an address in a frame of the page, and returns the parameters with which the frame ends. */
async function askInFrame(page: Page, address: string, redirectUri: string): Promise<URLSearchParams> {
  const answered = page.waitForEvent('framenavigated', {
    predicate: (frame) => frame !== page.mainFrame() && frame.url().startsWith(redirectUri),
  });
  await page.evaluate((source) => {
    // The checks of this repository do not load the types of browsers.
    const { document } = globalThis as unknown as {
      document: { createElement(name: 'iframe'): { src: string }; body: { append(node: object): void } };
    };
    const frame = document.createElement('iframe');
    frame.src = source;
    document.body.append(frame);
  }, address);
  return new URL((await answered).url()).searchParams;
}

/** Signs in to an application, and asks for another response in a hidden frame. */
async function signInSilently(
  application: { readonly scheme: 'http' | 'https'; readonly host: string },
  server: { readonly scheme: 'http' | 'https'; readonly cookies: 'lax' | undefined },
) {
  const certificate = await localCertificate(temporaryFolder());
  const { origin, setPage } = await serveApplication(
    application.scheme === 'https' ? certificate : null,
    {},
    application.host,
  );
  for (const name of ['index', 'silent']) setPage(name, '');
  const redirectUri = `${origin}/silent.html`;
  const { issuer, findings } = await oidcServer({
    tls: server.scheme === 'https' ? certificate : undefined,
    clients: [{ id: 'shop', secret: 'a-secret', redirectUris: [redirectUri] }],
    ...(server.cookies === undefined ? {} : { settings: { identity: { cookies: server.cookies } } }),
  });
  const request = (further: Readonly<Record<string, string>>): string => {
    const parameters = { client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: redirectUri };
    return `${issuer}/oauth2/authorize?${new URLSearchParams({ ...parameters, ...further })}`;
  };
  context = await browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  await page.goto(request({ state: 'first' }));
  await signIn(page);
  await page.waitForURL(`${redirectUri}?*`);
  const response = await askInFrame(page, request({ state: 'silent', prompt: 'none' }), redirectUri);
  return { state: response.get('state'), response, findings };
}

describe('CL65: a silent sign-in in a frame uses the session', () => {
  test.each([
    ['http', 'localhost', 'http', undefined],
    ['https', 'localhost', 'https', undefined],
    ['https', 'localhost', 'https', 'lax'],
    ['http', 'localhost', 'https', undefined],
    ['https', '127.0.0.1', 'https', undefined],
  ] as const)('application %s://%s, server %s://localhost, cookies %s', async (scheme, host, serverScheme, cookies) => {
    const { response, state } = await signInSilently({ scheme, host }, { scheme: serverScheme, cookies });
    expect([state, response.get('error'), response.has('code')]).toEqual(['silent', null, true]);
  });
});

describe('CL65, CL66: a silent sign-in in a frame of another site has no session, and the error says why', () => {
  test.each([
    ['http', '127.0.0.1', 'http', undefined, '--https'],
    ['https', '127.0.0.1', 'https', 'lax', 'browser'],
    ['http', 'localhost', 'https', 'lax', 'browser'],
  ] as const)(
    'application %s://%s, server %s://localhost, cookies %s',
    async (scheme, host, serverScheme, cookies, hint) => {
      const { response, findings } = await signInSilently({ scheme, host }, { scheme: serverScheme, cookies });
      expect(response.get('error')).toBe('login_required');
      expect(response.get('error_description')).toContain(hint);
      expect(findings).toEqual([{ sandbox: 'default', message: expect.stringContaining(hint) }]);
    },
  );
});
