import { sharedCounter } from '../../core/attempt-limiter.ts';
import { unknownNameCounters } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getFailedAttempts } from './failed-attempt-store.ts';
import { Sessions } from './session.ts';

const msPerSecond = 1_000;
const sessions = new Sessions();

/** What is guessed, and whose it is. */
export interface AttemptedSecret {
  /** The password of a user, his one-time code, that of an account of the lookup service, or the secret of a client. */
  readonly secret: 'password' | 'code' | 'lookup-password' | 'client-secret';
  /** Id of the owner, or the name that was given where no one has it. */
  readonly owner: string;
  /** Whether the tenant has the owner: each of those has a counter of its own, and all other names share some. */
  readonly isKnown: boolean;
}

/**
 * Evaluates a guess at a secret of someone in a sandbox. Wrong ones in a row are counted on the virtual clock; after too many even the
 * right one is not looked at. Takes what is guessed and the comparison. Returns whether it was right, or the seconds to wait.
 */
export async function recordFailedAttempt(
  sandbox: Sandbox,
  guessed: AttemptedSecret,
  isRight: () => boolean | Promise<boolean>,
): Promise<boolean | { readonly waitSeconds: number }> {
  const subject = await subjectOf(sandbox, guessed);
  const attempts = await getFailedAttempts(sandbox);
  const isMatch = attempts.waitMs(subject) === 0 && (await isRight());
  // Others may have guessed wrong while this one was compared: then it came too late, whatever it was.
  const waitMs = attempts.waitMs(subject);
  if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / msPerSecond) };
  if (isMatch) await attempts.clear(subject);
  else await attempts.note(subject);
  return isMatch;
}

/** Names the counter of a guess. Names that no one has share a bounded number of counters, chosen by a key of the sandbox. */
async function subjectOf(sandbox: Sandbox, { secret, owner, isKnown }: AttemptedSecret): Promise<string> {
  const digest = await sessions.sealOf(sandbox, 'failed-attempts', secret, owner);
  return isKnown ? `${secret}/${digest}` : `${secret}/unknown-${sharedCounter(digest, unknownNameCounters)}`;
}
