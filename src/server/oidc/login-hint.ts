import type { SandboxState } from '../../journal/state.ts';

/** Name of the claim whose value applications send as `login_hint` and `logout_hint`. */
export const loginHintClaim = 'login_hint';

/** Start of the values of the claim, which no username has in front of a text without `@`. */
const prefix = 'O.';

const form = /^O\.[\w-]+$/;

/** Returns the value of the claim for a user. It stays the same if the user is renamed. */
export function createLoginHint(userId: string): string {
  return `${prefix}${Buffer.from(userId).toString('base64url')}`;
}

/**
 * Returns the id of the user whom a value of the claim names.
 *
 * @param hint - value of `login_hint` or `logout_hint`
 * @returns `null` if the value is a username, or belongs to no user
 * @see CL25
 */
export function readLoginHint({ users }: Pick<SandboxState, 'users'>, hint: unknown): string | null {
  if (typeof hint !== 'string' || !form.test(hint)) return null;
  const userId = Buffer.from(hint.slice(prefix.length), 'base64url').toString();
  return users.has(userId) ? userId : null;
}
