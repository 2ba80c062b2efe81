import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { getBasePath } from '../identity/addresses.ts';

/** Path at which an authorization resumes after the sign-in. */
const resumed = /\/oauth2\/(?:authorize|verify-device)\/([\w-]{1,64})$/;

/** Returns the uid of the interaction that a path resumes, or `undefined` for any other path. */
export function uidResumed(path: string): string | undefined {
  return resumed.exec(path)?.[1];
}

const cookieName = (sandboxId: string, uid: string) => `nudgelab-${sandboxId}-for-${uid}`;

const attributes = (sandboxId: string) =>
  ({ path: getBasePath(sandboxId), httpOnly: true, sameSite: 'lax', signed: false, overwrite: true }) as const;

/**
 * Binds the sign-in of an application to the browser in which it started. Otherwise, an attacker could start a sign-in,
 * let a victim complete it at its URL, and continue as the victim. Each sign-in has its own cookie, so several can run
 * at the same time.
 */
export function bindBrowser(ctx: KoaContextWithOIDC, sandboxId: string, uid: string): void {
  ctx.cookies.set(cookieName(sandboxId, uid), '1', attributes(sandboxId));
}

/** Returns `true` if a `Cookie` header is from the browser in which the sign-in of an application started. */
export function isBoundBrowser(header: string | undefined, sandboxId: string, uid: string): boolean {
  const wanted = `${cookieName(sandboxId, uid)}=1`;
  return header?.split(';').some((pair) => pair.trim() === wanted) === true;
}

/** Deletes the cookie when the authorization resumes, so cookies do not accumulate in the browser. */
export function releaseBrowsers(provider: Provider, sandboxId: string): void {
  provider.use(async (ctx, next) => {
    await next();
    const uid = uidResumed(ctx.path);
    if (uid !== undefined) ctx.cookies.set(cookieName(sandboxId, uid), null, attributes(sandboxId));
  });
}
