import type { LookupAccount } from '../../contract/lookup.schema.ts';
import { isWithinLifetime, parseInstantMs } from '../../core/hmac.ts';
import { randomId } from '../../core/ids.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getLookupTokensPath } from '../identity/addresses.ts';
import { cookiesNamed, type Sessions } from '../identity/session.ts';

/** Account that is signed in on the token page. */
export interface TokensSession {
  readonly id: string;
  readonly account: LookupAccount;
}

/** Session lifetime on the token page in milliseconds on the virtual clock. */
const lifetimeMs = 3_600_000;

const cookieName = (sandboxId: string) => `nudgelab-${sandboxId}-lookup`;

const attributes = (sandboxId: string) => `Path=${getLookupTokensPath(sandboxId)}; HttpOnly; SameSite=Strict`;

/**
 * Starts a session of an account. Returns the session and its `Set-Cookie` header, which is restricted to this page.
 */
export async function beginTokensSession(
  sessions: Sessions,
  sandbox: Sandbox,
  account: LookupAccount,
): Promise<{ readonly session: TokensSession; readonly cookie: string }> {
  const [id, atMs] = [randomId(), String(sandbox.clock.nowMs())];
  const seal = await createSeal(sessions, sandbox, account, id, atMs);
  const value = `${account.id}.${atMs}.${id}.${seal}`;
  return { session: { id, account }, cookie: `${cookieName(sandbox.id)}=${value}; ${attributes(sandbox.id)}` };
}

/** Ends a session on the server for all browsers. Returns the `Set-Cookie` header that deletes the cookie. */
export async function endTokensSession(sandbox: Sandbox, { id }: TokensSession): Promise<string> {
  await sandbox.tokens.endSession(sessionName(id));
  return `${cookieName(sandbox.id)}=; ${attributes(sandbox.id)}; Max-Age=0`;
}

/**
 * Finds the session of a `Cookie` header. Returns `null` if there is none, the session was ended or has expired, or the
 * password was changed.
 */
export async function findTokensSession(
  sessions: Sessions,
  sandbox: Sandbox,
  header: string | undefined,
): Promise<TokensSession | null> {
  for (const value of cookiesNamed(header, cookieName(sandbox.id))) {
    const session = await readSession(sessions, sandbox, value);
    if (session !== null) return session;
  }
  return null;
}

async function readSession(sessions: Sessions, sandbox: Sandbox, value: string): Promise<TokensSession | null> {
  const [accountId = '', atMs = '', id = '', seal = ''] = value.split('.');
  const account = sandbox.lookup.administration.accounts().find((candidate) => candidate.id === accountId);
  if (account === undefined || account.suspended) return null;
  if (!sameSecret(seal, await createSeal(sessions, sandbox, account, id, atMs))) return null;
  if (!isWithinLifetime(parseInstantMs(atMs), sandbox.clock.nowMs(), lifetimeMs)) return null;
  return sandbox.tokens.hasEnded(sessionName(id)) ? null : { id, account };
}

const sessionName = (id: string) => `lookup-session ${id}`;

function createSeal(
  sessions: Sessions,
  sandbox: Sandbox,
  { id: accountId, passwordHash }: LookupAccount,
  id: string,
  atMs: string,
): Promise<string> {
  return sessions.createSeal(sandbox, 'lookup-session', accountId, atMs, id, passwordHash);
}
