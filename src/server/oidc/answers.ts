import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import { withPort } from '../port-cookies.ts';
import { forBrowserClock, listSetCookies } from './browser-cookies.ts';
import { readableBy } from './cors.ts';
import { sessionSeconds } from './lifetimes.ts';
import { renderHandOver, renderProblem } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';
import { readHandOver } from './redirect-handoff.ts';
import { type AnsweredTokens, applyTokenFault } from './token-faults.ts';

/** Gives the answers of a provider what this server adds: cookies by length, no inline script, faults that were asked for. */
export function completeAnswers(provider: Provider, parts: ProviderParts): void {
  const { sandbox } = parts;
  const sessionName = `nudgelab-${sandbox.id}-session`;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      renderProblem(sandbox, ctx, error);
    }
    if (ctx.status === 404 && ctx.body === undefined) tellNotFound(ctx);
    allowCredentials(ctx);
    const { oidc } = ctx as { readonly oidc?: KoaContextWithOIDC['oidc'] };
    await corrections[oidc?.route ?? '']?.(ctx as KoaContextWithOIDC, parts);
    const handOver = typeof ctx.body === 'string' ? readHandOver(ctx.body) : null;
    if (handOver !== null) renderHandOver(sandbox, ctx, handOver, addressAfter(oidc));
    const cookies = listSetCookies(ctx.response);
    if (cookies.length === 0) return;
    const lasting = forBrowserClock(cookies, sessionName, sessionSeconds);
    ctx.set(
      'Set-Cookie',
      lasting.map((cookie) => withPort(ctx.req, cookie)),
    );
  });
}

/** What this server states differently from the provider, by route. */
const corrections: Readonly<Record<string, (ctx: KoaContextWithOIDC, parts: ProviderParts) => unknown>> = {
  registration: describeMissingKey,
  token: async (ctx, parts) => {
    nameForeignGrant(ctx);
    await spoilTokens(parts, ctx);
  },
};

/** Where the provider lets pages of an origin read its answer, their requests may carry cookies too. */
function allowCredentials(ctx: Pick<KoaContextWithOIDC, 'get' | 'set' | 'response'>): void {
  const origin = ctx.get('Origin');
  if (origin !== '' && ctx.response.get('Access-Control-Allow-Origin') === origin) ctx.set(readableBy(origin));
}

/** Where a sign-out leads that is handed to a form since no one is signed in; `null` where no application waits. */
function addressAfter(oidc: KoaContextWithOIDC['oidc'] | undefined): string | null {
  const address = oidc?.session?.state?.['postLogoutRedirectUri'];
  return typeof address === 'string' ? address : null;
}

/** An address that nothing answers at, in the error shape of the protocol. */
function tellNotFound(ctx: { status: number; body: unknown; readonly req: IncomingMessage }): void {
  const { originalUrl = '' } = ctx.req as { readonly originalUrl?: string };
  const [path] = originalUrl.split('?');
  ctx.body = { error: 'invalid_request', error_description: `There is nothing at ${path}.`, code: 'not-found' };
  ctx.status = 404;
}

/** Says how to register a client where that needs the control key; the provider knows no more than that a token is missing. */
function describeMissingKey(ctx: { status: number; body: unknown }): void {
  if (ctx.status !== 401) return;
  const { code, message, action } = new NudgeLabError('registration-key-required');
  ctx.body = { error: 'invalid_token', error_description: `${message} ${action}`, code };
}

/** A grant that the client may not use has a code of its own (RFC 6749, 5.2); the provider calls it an invalid request. */
function nameForeignGrant(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  const body = ctx.body as { readonly error?: unknown } | undefined;
  const grantType = params?.['grant_type'];
  if (body?.error !== 'invalid_request' || client === undefined || typeof grantType !== 'string') return;
  if (!client.grantTypeAllowed(grantType)) ctx.body = { ...body, error: 'unauthorized_client' };
}

async function spoilTokens({ sandbox }: ProviderParts, ctx: KoaContextWithOIDC): Promise<void> {
  const clientId = ctx.oidc.client?.clientId;
  if (clientId === undefined || ctx.status !== 200) return;
  const fault = sandbox.faults.token(clientId);
  if (fault !== null) ctx.body = await applyTokenFault(fault, ctx.body as AnsweredTokens, sandbox.tokens.keys);
}
