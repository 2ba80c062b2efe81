import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import { forBrowserClock, setCookiesOf } from './browser-cookies.ts';
import { readHandOver } from './hand-over.ts';
import { sessionSeconds } from './lifetimes.ts';
import { renderHandOver, renderProblem } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';
import { type AnsweredTokens, applyTokenFault } from './token-faults.ts';

/** Algorithms that ID tokens can be signed by: the key of the second one is made when a client asks for it. */
const idTokenAlgorithms = ['ES256', 'RS256'];

/** Gives the answers of a provider what the house adds: cookies by length, no inline script, faults that were asked for. */
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
    const { oidc } = ctx as { readonly oidc?: KoaContextWithOIDC['oidc'] };
    if (oidc?.route === 'discovery') announceAlgorithms(ctx);
    if (oidc?.route === 'token') nameForeignGrant(ctx as KoaContextWithOIDC);
    if (oidc?.route === 'token') await spoilTokens(parts, ctx as KoaContextWithOIDC);
    const handOver = typeof ctx.body === 'string' ? readHandOver(ctx.body) : null;
    if (handOver !== null) renderHandOver(sandbox, ctx, handOver, addressAfter(oidc));
    const cookies = setCookiesOf(ctx.response);
    if (cookies.length > 0) ctx.set('Set-Cookie', forBrowserClock(cookies, sessionName, sessionSeconds));
  });
}

/** Where a sign-out leads that is handed to a form since nobody is signed in; `null` where no application waits. */
function addressAfter(oidc: KoaContextWithOIDC['oidc'] | undefined): string | null {
  const address = oidc?.session?.state?.['postLogoutRedirectUri'];
  return typeof address === 'string' ? address : null;
}

/** An address that nothing answers at, in the error shape of the protocol. */
function tellNotFound(ctx: { status: number; body: unknown }): void {
  ctx.body = { error: 'invalid_request', error_description: 'There is nothing at this address.', code: 'not-found' };
  ctx.status = 404;
}

function announceAlgorithms(ctx: { body: unknown }): void {
  if (typeof ctx.body !== 'object' || ctx.body === null) return;
  ctx.body = { ...ctx.body, id_token_signing_alg_values_supported: idTokenAlgorithms };
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
