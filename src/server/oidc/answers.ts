import type { IncomingMessage } from 'node:http';
import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC, AdapterPayload as Payload } from 'oidc-provider';
import { getSubjectType } from '../../contract/identity-settings.schema.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { withPort } from '../port-cookies.ts';
import { noteCaller } from '../request-log.ts';
import { forBrowserClock, listSetCookies } from './browser-cookies.ts';
import { listClaimNames, warnOfLargeTokens } from './configured-claims.ts';
import { readableBy } from './cors.ts';
import { listDefaultScope } from './default-scope.ts';
import { completeDeviceAnswer, deviceGrantType } from './device-grant.ts';
import { describeMissingProof } from './dpop.ts';
import { sessionSeconds } from './lifetimes.ts';
import { renderHandOver, renderProblem } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';
import { readHandOver } from './redirect-handoff.ts';
import { explainSilentForm, explainSilentRedirect, listAncestors } from './silent-frame.ts';
import { createFormAnswers } from './tenant-form/tenant-answers.ts';
import { type AnsweredTokens, applyTokenFault } from './token-faults.ts';
import { tokenMark } from './token-prefix.ts';

/** Adapts the responses of a provider: cookie lifetimes as durations, no inline scripts, and injected faults. */
export function completeAnswers(provider: Provider, parts: ProviderParts): void {
  const { sandbox } = parts;
  const formAnswers = createFormAnswers(provider, parts);
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
    noteCaller(ctx.res, {
      client: oidc?.client?.clientId ?? null,
      userId: oidc?.account?.accountId ?? oidc?.session?.accountId ?? null,
    });
    await corrections[oidc?.route ?? '']?.(ctx as KoaContextWithOIDC, parts);
    await formAnswers.complete(ctx as KoaContextWithOIDC);
    const handOver = typeof ctx.body === 'string' ? readHandOver(ctx.body) : null;
    if (handOver !== null) {
      const silent = ctx as KoaContextWithOIDC;
      const explained = explainSilentForm(sandbox, silent, formAnswers.completeFields(silent, handOver));
      renderHandOver(sandbox, ctx, explained, {
        afterwards: addressAfter(oidc),
        ancestors: listAncestors(sandbox, silent),
      });
    } else explainSilentRedirect(sandbox, ctx as KoaContextWithOIDC);
    const cookies = listSetCookies(ctx.response);
    if (cookies.length === 0) return;
    const lasting = forBrowserClock(cookies, sessionName, sessionSeconds);
    ctx.set(
      'Set-Cookie',
      lasting.map((cookie) => withPort(ctx.req, cookie)),
    );
  });
}

/** Corrections of the provider's responses, by route. */
const corrections: Readonly<Record<string, (ctx: KoaContextWithOIDC, parts: ProviderParts) => unknown>> = {
  discovery: (ctx, { sandbox, form }) => {
    if (ctx.status !== 200) return;
    const subject = getSubjectType(sandbox.recorder.state().settings, form !== null);
    const document = ctx.body as Payload & { readonly claims_supported?: readonly string[] };
    const claims = [...new Set([...(document.claims_supported ?? []), ...listClaimNames(sandbox)])];
    ctx.body = {
      ...document,
      claims_supported: claims,
      // Some clients request all of these scopes. Permissions differ between clients and belong to different resources.
      scopes_supported: openidScopes,
      subject_types_supported: [subject],
    };
  },
  introspection: nameTokenIssuer,
  registration: describeMissingKey,
  jwks: publishKeys,
  device_authorization: (ctx, { issuer }) => {
    nameForeignDeviceGrant(ctx);
    if (ctx.status === 200) ctx.body = completeDeviceAnswer(ctx.body as Payload, `${issuer}/device`);
  },
  token: async (ctx, parts) => {
    nameForeignGrant(ctx);
    listGrantsNotSimulated(ctx);
    describeMissingProof(ctx);
    listNoPermissions(ctx);
    listDefaultScope(ctx, parts);
    await spoilTokens(parts, ctx);
    if (ctx.status === 200) warnOfLargeTokens(ctx, ctx.body as Payload);
  },
};

/** Names issuer, subject and audience of a token of the tenant form as the token does. The provider has its own ones. */
function nameTokenIssuer(ctx: KoaContextWithOIDC, { issuer }: ProviderParts): void {
  const { token } = ctx.oidc.params ?? {};
  const body = ctx.body as { readonly active?: unknown };
  if (ctx.status !== 200 || body.active !== true || typeof token !== 'string' || !token.startsWith(tokenMark)) return;
  const { iss, sub, aud } = decodeJwt(token.slice(tokenMark.length));
  if (iss !== issuer) ctx.body = { ...body, iss, sub, aud };
}

/** Sets how long clients may cache the keys, and applies a fault of the keys (CL51). */
function publishKeys(ctx: KoaContextWithOIDC, { sandbox, keys }: ProviderParts): void {
  const { jwksMaxAgeSeconds = 0 } = sandbox.recorder.state().settings.identity ?? {};
  ctx.set('Cache-Control', `max-age=${jwksMaxAgeSeconds}`);
  const fault = sandbox.faults.keys();
  if (ctx.status !== 200 || fault === null) return;
  const listed = keys.filter(({ slot }) => fault === 'missing-active' && slot.status !== 'active');
  ctx.body = { keys: listed.map(({ key }) => key.publicJwk) };
}

/** Allows requests with cookies from origins that the provider allows to read its response. */
function allowCredentials(ctx: Pick<KoaContextWithOIDC, 'get' | 'set' | 'response'>): void {
  const origin = ctx.get('Origin');
  if (origin !== '' && ctx.response.get('Access-Control-Allow-Origin') === origin) ctx.set(readableBy(origin));
}

/** Returns the redirect URL after a sign-out without a session. `null` if there is none. */
function addressAfter(oidc: KoaContextWithOIDC['oidc'] | undefined): string | null {
  const address = oidc?.session?.state?.['postLogoutRedirectUri'];
  return typeof address === 'string' ? address : null;
}

/** Sends the 404 response in the error format of the protocol. */
function tellNotFound(ctx: { status: number; body: unknown; readonly req: IncomingMessage }): void {
  const { originalUrl = '' } = ctx.req as { readonly originalUrl?: string };
  const [path] = originalUrl.split('?');
  ctx.body = { error: 'invalid_request', error_description: `The path ${path} does not exist.`, code: 'not-found' };
  ctx.status = 404;
}

/** Explains that client registration needs the control key. The provider only reports a missing token. */
function describeMissingKey(ctx: { status: number; body: unknown }): void {
  if (ctx.status !== 401) return;
  const { code, message, action } = new NudgeLabError('registration-key-required');
  ctx.body = { error: 'invalid_token', error_description: `${message} ${action}`, code };
}

/**
 * Sets the error code for a grant type that the client may not use (RFC 6749, 5.2). The provider reports an invalid
 * request.
 */
function nameForeignGrant(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  const body = ctx.body as { readonly error?: unknown } | undefined;
  const grantType = params?.['grant_type'];
  if (body?.error !== 'invalid_request' || client === undefined || typeof grantType !== 'string') return;
  if (!client.grantTypeAllowed(grantType)) ctx.body = { ...body, error: 'unauthorized_client' };
}

/** Names the grant types that are known but not simulated (CL36). */
function listGrantsNotSimulated(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { readonly error?: unknown } | undefined;
  if (body?.error !== 'unsupported_grant_type') return;
  const description =
    'The grant type is not supported. Not simulated are the password grant, on-behalf-of, token exchange, and CIBA.';
  ctx.body = { ...body, error_description: description };
}

/** Adds the empty scope of a client without permissions, since the response always lists the scope (CL33). */
function listNoPermissions(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 200 || ctx.oidc.params?.['grant_type'] !== 'client_credentials') return;
  ctx.body = { scope: '', ...(ctx.body as Payload) };
}

/** Sets the error code for a client that may not use the device grant (RFC 8628, section 3.1). */
function nameForeignDeviceGrant(ctx: KoaContextWithOIDC): void {
  const { client } = ctx.oidc;
  if (ctx.status !== 400 || client === undefined || client.grantTypeAllowed(deviceGrantType)) return;
  ctx.body = { ...(ctx.body as Payload), error: 'unauthorized_client' };
}

async function spoilTokens({ sandbox }: ProviderParts, ctx: KoaContextWithOIDC): Promise<void> {
  const clientId = ctx.oidc.client?.clientId;
  if (clientId === undefined || ctx.status !== 200) return;
  const fault = sandbox.faults.token(clientId);
  if (fault !== null) ctx.body = await applyTokenFault(fault, ctx.body as AnsweredTokens, sandbox.tokens.keys);
}
