import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { noteFinding } from '../finding.ts';
import { cookiesNamed } from '../identity/session.ts';
import { listOrigins } from './client-origins.ts';
import { fixtureClient } from './clients.ts';
import type { HandOver } from './provider-pages.ts';

const advice = {
  http: 'Over http, browsers send no cookie of this server to a frame of another site: start the server with --https, or open the application at http://localhost too.',
  https:
    'The browser sent no cookie of this server to a frame of another site: allow third-party cookies for it, and check the setting cookies of the sandbox (none).',
};

/** Returns `true` for a request that must be answered without a page (`prompt=none`). */
function isSilent({ oidc }: KoaContextWithOIDC): boolean {
  const prompt = oidc?.params?.['prompt'];
  return prompt === 'none';
}

/**
 * Returns what a developer can do about a silent request from a frame of another site that came without a session
 * cookie (CL66). The log of the server and the console show it too. `null` for any other request.
 */
function findAdvice(sandbox: Sandbox, ctx: KoaContextWithOIDC): string | null {
  const { 'sec-fetch-dest': target, 'sec-fetch-site': site, cookie } = ctx.headers;
  if (!isSilent(ctx) || target !== 'iframe' || site !== 'cross-site') return null;
  if (cookiesNamed(cookie, `nudgelab-${sandbox.id}-session`).length > 0) return null;
  return ctx.oidc.issuer.startsWith('https:') ? advice.https : advice.http;
}

/** Adds that advice to the description of `login_required` in the redirect to the application. */
export function explainSilentRedirect(sandbox: Sandbox, ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get('Location');
  const address = location === '' ? null : URL.parse(location);
  const text = address === null ? null : findAdvice(sandbox, ctx);
  if (address === null || text === null) return;
  const fragment = new URLSearchParams(address.hash.slice(1));
  const parameters = fragment.has('error') ? fragment : address.searchParams;
  if (parameters.get('error') !== 'login_required') return;
  noteFinding(ctx.res, text);
  parameters.set('error_description', describe(parameters.get('error_description'), text));
  if (parameters === fragment) address.hash = fragment.toString();
  ctx.set('Location', address.href);
}

/** Adds that advice to a response that is sent with a form. */
export function explainSilentForm(sandbox: Sandbox, ctx: KoaContextWithOIDC, handOver: HandOver): HandOver {
  const text = handOver.fields.some(([name, value]) => name === 'error' && value === 'login_required')
    ? findAdvice(sandbox, ctx)
    : null;
  if (text === null) return handOver;
  noteFinding(ctx.res, text);
  const fields = handOver.fields.map(([name, value]) =>
    name === 'error_description' ? ([name, describe(value, text)] as const) : ([name, value] as const),
  );
  return { ...handOver, fields };
}

function describe(description: string | null, text: string): string {
  return description === null || description === '' ? text : `${description}. ${text}`;
}

/**
 * Returns the origins whose pages can load a response in a frame (CL67): those of the client for `prompt=none`. Empty
 * for pages that a user would see.
 */
export function listAncestors(sandbox: Sandbox, ctx: KoaContextWithOIDC): readonly string[] {
  const { client } = ctx.oidc ?? {};
  if (client === undefined || !isSilent(ctx)) return [];
  const { redirectUris = [] } = client;
  return listOrigins(fixtureClient(sandbox, client.clientId) ?? { redirectUris, anyLoopbackRedirect: false });
}
