import { GuessLimit } from '../../core/guess-limit.ts';
import { userGuessersMax, userGuessesMax, userGuessWindowMs } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const msPerSecond = 1_000;

/** Limits by the state of a sandbox: whoever resets or restores one begins with none. */
const limits = new WeakMap<object, GuessLimit>();

/** What is guessed: the password of a user, his one-time code, that of an account of the lookup service, or the secret of a client. */
export type GuessedSecret = 'password' | 'code' | 'lookup-password' | 'client-secret';

/**
 * Judges a guess at a secret of somebody in a sandbox. Wrong ones in a row are counted on the virtual clock; after too many even the
 * right one is not looked at. Takes what is guessed, whose it is, and the comparison. Returns whether it was right, or the seconds to
 * wait.
 */
export async function judgeGuess(
  sandbox: Sandbox,
  [secret, owner]: readonly [GuessedSecret, string],
  isRight: () => boolean | Promise<boolean>,
): Promise<boolean | { readonly waitSeconds: number }> {
  const limit = limitOf(sandbox);
  const subject = `${secret} ${owner}`;
  const waitMs = (): number => limit.waitMs(subject, sandbox.clock.nowMs());
  const isKnown = waitMs() === 0 && (await isRight());
  // Others may have guessed wrong while this one was compared: then it came too late, whatever it was.
  if (waitMs() > 0) return { waitSeconds: Math.ceil(waitMs() / msPerSecond) };
  if (isKnown) limit.forget(subject);
  else limit.note(subject, sandbox.clock.nowMs());
  return isKnown;
}

function limitOf(sandbox: Sandbox): GuessLimit {
  const state = sandbox.recorder.state();
  const known = limits.get(state);
  if (known !== undefined) return known;
  const bounds = { guessesMax: userGuessesMax, windowMs: userGuessWindowMs, subjectsMax: userGuessersMax };
  const limit = new GuessLimit(bounds);
  limits.set(state, limit);
  return limit;
}
