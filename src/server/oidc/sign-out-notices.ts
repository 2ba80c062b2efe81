import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { toPageTenant } from '../identity/brand.ts';
import { signingOutPage } from '../identity/pages/signing-out.page.ts';
import { fixtureClient } from './clients.ts';
import type { EndedSession, SessionPart } from './logout-tokens.ts';
import { type Answer, answerPage, readerOfContext } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';
import { getSubject } from './tenant-form/tenant-claims.ts';

const confirmation = /\/(?:end_session|logout)\/confirm$/;

/** Returns `true` if a client of a sandbox is notified of sign-outs. ID tokens then contain `sid` (CL83). */
function usesSignOutNotices(sandbox: Sandbox): boolean {
  return sandbox.recorder.state().clients.some(isNotified);
}

function isNotified({ frontchannelLogoutUri, backchannelLogoutUri }: Client): boolean {
  return frontchannelLogoutUri !== undefined || backchannelLogoutUri !== undefined;
}

/**
 * Notifies the applications of a session that a user signed out (CL81, CL82): by logout tokens, and by a page with a
 * hidden frame for each application, which then leads on.
 */
export function notifySignOuts(provider: Provider, parts: ProviderParts): void {
  const { sandbox, logout } = parts;
  const { prototype } = provider.Client;
  Object.defineProperty(prototype, 'includeSid', { configurable: true, value: () => usesSignOutNotices(sandbox) });
  provider.on('authorization.accepted', ({ oidc: { session, client } }: KoaContextWithOIDC) => {
    const part: SessionPart | undefined = session?.authorizations?.[client?.clientId ?? ''];
    if (part === undefined || client === undefined || session?.accountId === undefined) return;
    Object.assign(part, { iss: provider.issuer, sub: getSubject(parts, client.clientId, session.accountId) });
  });
  const successful = new WeakSet<object>();
  provider.on('end_session.success', (ctx: KoaContextWithOIDC) => successful.add(ctx.req));
  provider.use(async (ctx, next) => {
    if (!confirmation.test(ctx.path) || !usesSignOutNotices(sandbox)) return next();
    const { accountId, authorizations = {}, state } = await provider.Session.get(ctx);
    // The provider changes the parts while it ends the session.
    const before = { ...authorizations } as Readonly<Record<string, SessionPart>>;
    const only: unknown = state?.['clientId'];
    await next();
    if (!successful.has(ctx.req) || accountId === undefined) return;
    const { oidc } = ctx as unknown as KoaContextWithOIDC;
    const isWhole = oidc.params?.['logout'] !== undefined;
    const left = Object.fromEntries(Object.entries(before).filter(([id]) => isWhole || id === only));
    await logout.issue(sandbox, { userId: accountId, parts: left });
    const frames = listFrames(sandbox, left);
    if (frames.length > 0) showFrames(sandbox, ctx as unknown as FramedAnswer, frames);
  });
}

/** Returns the URLs that the signed-out page loads, with the issuer and the session of each application. */
function listFrames(sandbox: Sandbox, parts: EndedSession['parts']): readonly string[] {
  return Object.entries(parts).flatMap(([clientId, { sid = '', iss = sandbox.tokens.issuer }]) => {
    const uri = fixtureClient(sandbox, clientId)?.frontchannelLogoutUri;
    if (uri === undefined) return [];
    const frame = new URL(uri);
    frame.searchParams.set('iss', iss);
    frame.searchParams.set('sid', sid);
    return [frame.href];
  });
}

interface FramedAnswer extends Answer {
  readonly response: { get(name: string): string };
  remove(name: string): void;
}

/** Replaces the redirect after a sign-out by a page with frames, which leads to the same URL. */
function showFrames(sandbox: Sandbox, ctx: FramedAnswer, frames: readonly string[]): void {
  const next = ctx.response.get('Location');
  ctx.remove('Location');
  ctx.status = 200;
  answerPage(ctx, signingOutPage({ tenant: toPageTenant(sandbox, readerOfContext(ctx)), frames, next }), {
    frames: [...new Set(frames.map(toFrameSource))],
  });
}

/** Returns the Content-Security-Policy source of exactly one URL. */
function toFrameSource(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`;
}
