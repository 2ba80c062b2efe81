import type { LookupAccount } from '../../contract/lookup.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type Sessions, sameText } from '../identity/session.ts';

/** How long an account stays signed in at the page of its tokens, in ms of virtual time. */
const lifetimeMs = 3_600_000;

const cookieName = (sandboxId: string) => `nudgelab-${sandboxId}-lookup`;

/** The `Set-Cookie` header that remembers an account, for this page alone; `null` forgets it. */
export async function tokensCookie(
  sessions: Sessions,
  sandbox: Sandbox,
  account: LookupAccount | null,
  path: string,
): Promise<string> {
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict`;
  if (account === null) return `${cookieName(sandbox.id)}=; ${attributes}; Max-Age=0`;
  const content = `${account.id}.${sandbox.clock.nowMs()}`;
  return `${cookieName(sandbox.id)}=${content}.${await sealOf(sessions, sandbox, account, content)}; ${attributes}`;
}

/** The account that a `Cookie` header proves; `null` for none, for a changed password, or when it is too long ago. */
export async function tokensAccount(
  sessions: Sessions,
  sandbox: Sandbox,
  header: string | undefined,
): Promise<LookupAccount | null> {
  const name = `${cookieName(sandbox.id)}=`;
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(name));
  const [id = '', atMs = '', seal = ''] = pair?.trim().slice(name.length).split('.') ?? [];
  const account = sandbox.lookup.administration.accounts().find((candidate) => candidate.id === id);
  if (account === undefined || account.suspended) return null;
  if (!sameText(seal, await sealOf(sessions, sandbox, account, `${id}.${atMs}`))) return null;
  const ageMs = sandbox.clock.nowMs() - Number(atMs);
  return ageMs < 0 || ageMs > lifetimeMs ? null : account;
}

function sealOf(sessions: Sessions, sandbox: Sandbox, account: LookupAccount, content: string): Promise<string> {
  return sessions.sealOf(sandbox, `lookup tokens ${content} ${account.passwordHash}`);
}
