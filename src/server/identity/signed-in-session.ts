import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { securityInfoOf } from './addresses.ts';
import { type Sessions, sameText } from './session.ts';

/** Who has signed in in a browser, for the pages that a user has after it. */
export interface SignedIn {
  readonly userId: string;
  readonly signInId: string;
  /** Hidden in the forms of these pages. */
  readonly formToken: string;
}

/** How long it holds, in ms of virtual time. */
const lifetimeMs = 3_600_000;

const cookieName = (sandboxId: string) => `nudgelab-${sandboxId}-user`;

/** The `Set-Cookie` header that remembers a finished sign-in: for this sandbox, these pages, and a while. */
export async function signedInCookie(sessions: Sessions, sandbox: Sandbox, view: SignInView): Promise<string> {
  const content = `${view.id}.${sandbox.clock.nowMs()}`;
  const seal = await sessions.sealOf(sandbox, `signed in ${content} ${view.userId} ${view.startedAtMs}`);
  const value = `${content}.${seal}`;
  return `${cookieName(sandbox.id)}=${value}; Path=${securityInfoOf(sandbox.id)}; HttpOnly; SameSite=Lax`;
}

/** Who has signed in in the browser that sent a `Cookie` header; `null` for nobody, or when it is too long ago. */
export async function signedInUser(
  sessions: Sessions,
  sandbox: Sandbox,
  header: string | undefined,
): Promise<SignedIn | null> {
  const name = `${cookieName(sandbox.id)}=`;
  const value = header
    ?.split(';')
    .find((part) => part.trimStart().startsWith(name))
    ?.trim()
    .slice(name.length);
  const [signInId = '', atMs = '', seal = ''] = value?.split('.') ?? [];
  const view = sandbox.signIns.find(signInId);
  if (view === null || !view.finished) return null;
  const content = `signed in ${signInId}.${atMs} ${view.userId} ${view.startedAtMs}`;
  if (!sameText(seal, await sessions.sealOf(sandbox, content))) return null;
  const ageMs = sandbox.clock.nowMs() - Number(atMs);
  if (ageMs < 0 || ageMs > lifetimeMs) return null;
  return { userId: view.userId, signInId, formToken: await sessions.sealOf(sandbox, `form ${content}`) };
}
