import { sharedCounter } from '../../core/attempt-limiter.ts';
import { unknownNameCounters } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getFailedAttempts } from './failed-attempt-store.ts';
import { Sessions } from './session.ts';

const msPerSecond = 1_000;
const sessions = new Sessions();

/** Secret that was attempted, and its owner. */
export interface AttemptedSecret {
  /**
   * Type of secret: a user's password or one-time code, a lookup account's password, a client secret, or the
   * code of a device.
   */
  readonly secret: 'password' | 'code' | 'lookup-password' | 'client-secret' | 'user-code';
  /** Id of the owner, or the submitted name if no user has it. */
  readonly owner: string;
  /** `true` if the owner exists. Existing owners have separate counters, and all other names share a few counters. */
  readonly isKnown: boolean;
}

/**
 * Checks an attempted secret in a sandbox. Consecutive failed attempts are counted on the virtual clock. After too many
 * of them, even the correct secret is not checked.
 *
 * @param guessed - type and owner of the secret
 * @param isRight - compares the secret
 * @returns whether the secret is correct, or the seconds until the next attempt is allowed
 */
export async function recordFailedAttempt(
  sandbox: Sandbox,
  guessed: AttemptedSecret,
  isRight: () => boolean | Promise<boolean>,
): Promise<boolean | { readonly waitSeconds: number }> {
  const attempts = await getFailedAttempts(sandbox);
  const early = attempts.isEmpty() ? await isRight() : null;
  // Without any failed attempt in the sandbox, a correct secret needs no counter.
  if (early === true && attempts.isEmpty()) return true;
  const subject = await createSubject(sandbox, guessed);
  const isMatch = attempts.waitMs(subject) === 0 && (early ?? (await isRight()));
  // Concurrent attempts may have failed during the comparison. In this case, this attempt is too late, even if it is
  // correct.
  const waitMs = attempts.waitMs(subject);
  if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / msPerSecond) };
  if (!isMatch) await attempts.note(subject);
  // Anyone can request a device code, so a correct one proves nothing about the attempts before it.
  else if (guessed.secret !== 'user-code') await attempts.clear(subject);
  return isMatch;
}

/** Returns the counter id of an attempt. Unknown names share a fixed number of counters, selected by a keyed hash. */
async function createSubject(sandbox: Sandbox, { secret, owner, isKnown }: AttemptedSecret): Promise<string> {
  const digest = await sessions.createSeal(sandbox, 'failed-attempts', secret, owner);
  return isKnown ? `${secret}/${digest}` : `${secret}/unknown-${sharedCounter(digest, unknownNameCounters)}`;
}
