import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { getBasePath } from '../identity/addresses.ts';

/** Where an authorization that was interrupted for a sign-in goes on. */
const resumed = /\/oauth2\/authorize\/([\w-]{1,64})$/;

/** The interaction that an address goes on with; `undefined` for any other address. Takes a path. */
export function uidResumed(path: string): string | undefined {
  return resumed.exec(path)?.[1];
}

const cookieName = (sandboxId: string, uid: string) => `nudgelab-${sandboxId}-for-${uid}`;

const attributes = (sandboxId: string) =>
  ({ path: getBasePath(sandboxId), httpOnly: true, sameSite: 'lax', signed: false, overwrite: true }) as const;

/**
 * Binds the sign-in of an application to the browser in which it began: else someone could begin one, have another person
 * sign in at its address, and go on as that person. One cookie each, so that several run side by side.
 */
export function bindBrowser(ctx: KoaContextWithOIDC, sandboxId: string, uid: string): void {
  ctx.cookies.set(cookieName(sandboxId, uid), '1', attributes(sandboxId));
}

/** Whether the `Cookie` header of a request is of the browser in which the sign-in of an application began. */
export function isBoundBrowser(header: string | undefined, sandboxId: string, uid: string): boolean {
  const wanted = `${cookieName(sandboxId, uid)}=1`;
  return header?.split(';').some((pair) => pair.trim() === wanted) === true;
}

/** Takes the cookie back where the authorization goes on, so that a browser does not gather them. */
export function releaseBrowsers(provider: Provider, sandboxId: string): void {
  provider.use(async (ctx, next) => {
    await next();
    const uid = uidResumed(ctx.path);
    if (uid !== undefined) ctx.cookies.set(cookieName(sandboxId, uid), null, attributes(sandboxId));
  });
}
