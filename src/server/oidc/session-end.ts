import type Provider from 'oidc-provider';
import type { ClientAuthorizationState, KoaContextWithOIDC } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { Sessions } from '../identity/session.ts';
import { endedSignedInCookies, endSignedIn, signedInUser } from '../identity/signed-in-session.ts';

/** Maximum number of sign-ins per application that a session remembers. Older ones have expired. */
const signInsMax = 20;

/** Session data for one application, with the sign-ins for which the session was used. */
interface SessionPart extends ClientAuthorizationState {
  signInIds?: readonly string[];
}

/**
 * Ends the pages of signed-in users together with the session. A sign-out from a session ends all its sign-ins on the
 * server, and the sign-in of the current browser, which may belong to no application.
 */
export function endPagesWithSession(provider: Provider, sandbox: Sandbox): void {
  const sessions = new Sessions();
  const ending = new WeakMap<object, Promise<void>>();
  provider.on('interaction.started', rememberSignIn);
  provider.on('authorization.accepted', rememberSignIn);
  provider.on('end_session.success', (ctx: KoaContextWithOIDC) => {
    if (ctx.oidc.params?.['logout'] === undefined) return;
    const ended = endSignIns(sandbox, sessions, ctx);
    // The promise is awaited below. This handler prevents an unhandled rejection in the meantime.
    ended.catch(() => undefined);
    ending.set(ctx.req, ended);
  });
  provider.use(async (ctx, next) => {
    await next();
    const ended = ending.get(ctx.req);
    if (ended === undefined) return;
    await ended;
    for (const cookie of endedSignedInCookies(sandbox)) ctx.append('Set-Cookie', cookie);
  });
}

function rememberSignIn({ oidc: { result, session, client } }: KoaContextWithOIDC): void {
  const signInId = result?.login?.['signInId'];
  if (typeof signInId !== 'string' || session === undefined || client === undefined) return;
  session.authorizations ??= {};
  session.authorizations[client.clientId] ??= {};
  const part: SessionPart = session.authorizations[client.clientId] ?? {};
  part.signInIds = [...new Set([...(part.signInIds ?? []), signInId])].slice(-signInsMax);
}

async function endSignIns(sandbox: Sandbox, sessions: Sessions, { req, oidc }: KoaContextWithOIDC): Promise<void> {
  const parts: readonly SessionPart[] = Object.values(oidc.session?.authorizations ?? {});
  const here = await signedInUser(sessions, sandbox, req.headers.cookie);
  const signInIds = parts.flatMap((part) => part.signInIds ?? []);
  for (const id of new Set(here === null ? signInIds : [...signInIds, here.signInId])) await endSignedIn(sandbox, id);
}
