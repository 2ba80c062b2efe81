import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import type { DisplayedPage } from './application-browser.ts';
import { type OidcServer, oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application } from './relying-party.ts';

/** Verified domain and id of the tenant of a test. */
export const tenantDomain = 'contoso.example';
export const tenantId = '6f0b6c1a-53e1-4a2b-9c0d-1f2e3d4c5b6a';

interface TenantSetup {
  readonly id?: string;
  readonly settings?: object;
  readonly [key: string]: unknown;
}

/** Server with a tenant that has a GUID and a verified domain. */
export interface TenantServer extends OidcServer {
  /** Returns the authority of a tenant, as client libraries name it. */
  at(tenant?: string): string;
}

/** Starts a server with one sandbox whose tenant has a GUID and a verified domain. */
export async function tenantServer({ id = 'default', settings, ...input }: TenantSetup = {}): Promise<TenantServer> {
  const server = await oidcServer({
    id,
    tenant: { id: tenantId, campaign: { state: 'disabled' } },
    settings: { directory: { verifiedDomains: [tenantDomain] }, ...settings },
    ...input,
  } as SandboxInput & { readonly id: string });
  return { ...server, at: (tenant = tenantId) => `${server.serverUrl}/${tenant}` };
}

/** JSON response. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Sends a request and reads the JSON of its response. */
export async function readJson(url: string, init?: RequestInit): Promise<JsonAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body, headers: response.headers };
}

/** Sends a form and reads the JSON of the response. */
export function postForm(
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return readJson(url, { method: 'POST', body: new URLSearchParams(form), headers });
}

/** PKCE pair of RFC 7636, appendix B. */
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** Returns the URL of an authorization request at an authority. An empty value omits a parameter. */
export function getAuthorizeUrl(authority: string, parameters: Readonly<Record<string, string>> = {}): string {
  const complete = {
    client_id: 'test-public',
    redirect_uri: application,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'mine',
    nonce: 'n',
    ...parameters,
  };
  const sent = Object.entries(complete).filter(([, value]) => value !== '');
  return `${authority}/oauth2/v2.0/authorize?${new URLSearchParams(sent)}`;
}

/** Redeems a code at an authority. */
export function redeemCode(
  authority: string,
  code: string,
  form: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return postForm(`${authority}/oauth2/v2.0/token`, {
    client_id: 'test-public',
    grant_type: 'authorization_code',
    code,
    redirect_uri: application,
    code_verifier: verifier,
    ...form,
  });
}

/** Signs in a user at an authority and redeems the code there. */
export async function signInAt(
  authority: string,
  parameters: Readonly<Record<string, string>> = {},
  browser = appBrowser(),
) {
  const answer = answerAt(await browser.signIn(getAuthorizeUrl(authority, parameters)));
  const tokens = await redeemCode(authority, answer['code'] ?? '', { client_info: '1' });
  return { answer, browser, ...tokens };
}

/** Signs out at a URL. A user who is asked confirms it, and a form without a script is sent by its button. */
export async function signOutAt(url: string, browser: ReturnType<typeof appBrowser>): Promise<DisplayedPage> {
  let shown = await browser.load(url);
  if (shown.page?.name === 'sign-out') shown = await browser.press(shown, 'Sign out');
  return shown.page?.name === 'hand-over' ? browser.press(shown, 'Continue') : shown;
}
