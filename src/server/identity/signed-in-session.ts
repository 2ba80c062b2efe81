import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { isWithinLifetime, parseInstantMs } from '../../core/hmac.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { getSecurityInfoPath, getSignOutPath } from './addresses.ts';
import { cookiesNamed, type Sessions } from './session.ts';

/** Signed-in user of a browser, for the pages after the sign-in. */
export interface SignedIn {
  readonly userId: string;
  readonly signInId: string;
  /** Anti-forgery token in the forms of these pages. */
  readonly formToken: string;
}

/** Session lifetime in milliseconds on the virtual clock. */
const lifetimeMs = 3_600_000;

const cookieName = (sandboxId: string) => `nudgelab-${sandboxId}-user`;

/**
 * Returns the cookie paths: the pages that need the session, and the sign-out page that ends it. Both are at the root of
 * a port of the sandbox too.
 */
const cookiePaths = ({ id, tokens }: Sandbox) =>
  [id, ...(tokens.hasOwnPort ? [defaultSandboxId] : [])].flatMap((root) => [
    getSecurityInfoPath(root),
    getSignOutPath(root),
  ]);

const attributes = (path: string) => `Path=${path}; HttpOnly; SameSite=Lax`;

/** Creates the `Set-Cookie` headers for a finished sign-in, valid for this sandbox, these pages, and a limited time. */
export async function signedInCookies(
  sessions: Sessions,
  sandbox: Sandbox,
  view: SignInView,
): Promise<readonly string[]> {
  const atMs = String(sandbox.clock.nowMs());
  const seal = await sessions.createSeal(sandbox, 'signed-in-session', ...sealedParts(view, atMs));
  const cookie = `${cookieName(sandbox.id)}=${view.id}.${atMs}.${seal}`;
  return cookiePaths(sandbox).map((path) => `${cookie}; ${attributes(path)}`);
}

/** Creates the `Set-Cookie` headers that delete these cookies. */
export function endedSignedInCookies(sandbox: Sandbox): readonly string[] {
  return cookiePaths(sandbox).map((path) => `${cookieName(sandbox.id)}=; ${attributes(path)}; Max-Age=0`);
}

/**
 * Finds the signed-in user of a `Cookie` header. Returns `null` if there is none, or the session was ended or has
 * expired.
 */
export async function signedInUser(
  sessions: Sessions,
  sandbox: Sandbox,
  header: string | undefined,
): Promise<SignedIn | null> {
  for (const value of cookiesNamed(header, cookieName(sandbox.id))) {
    const signedIn = await readCookie(sessions, sandbox, value);
    if (signedIn !== null) return signedIn;
  }
  return null;
}

/** Ends the session of a finished sign-in permanently, in every browser. */
export async function endSignedIn(sandbox: Sandbox, signInId: string): Promise<void> {
  const view = sandbox.signIns.find(signInId);
  if (view !== null) await sandbox.tokens.endSession(sessionName(view));
}

async function readCookie(sessions: Sessions, sandbox: Sandbox, value: string): Promise<SignedIn | null> {
  const [signInId = '', atMs = '', seal = ''] = value.split('.');
  const view = sandbox.signIns.find(signInId);
  if (view === null || !view.finished) return null;
  const parts = sealedParts(view, atMs);
  if (!sameSecret(seal, await sessions.createSeal(sandbox, 'signed-in-session', ...parts))) return null;
  if (!isWithinLifetime(parseInstantMs(atMs), sandbox.clock.nowMs(), lifetimeMs)) return null;
  if (sandbox.tokens.hasEnded(sessionName(view))) return null;
  const formToken = await sessions.createSeal(sandbox, 'security-info-form', ...parts);
  return { userId: view.userId, signInId, formToken };
}

/** Returns the signed parts of a session. A restore reuses sign-in ids, so user and time are included. */
function sealedParts({ id, userId, startedAtMs }: SignInView, atMs: string): readonly (string | number)[] {
  return [id, atMs, userId, startedAtMs];
}

const sessionName = ({ id, startedAtMs }: SignInView) => `signed-in-session ${id} ${startedAtMs}`;
