import type { Ruleset, SnoozeLedger, UserFacts, Verdict, Warning } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { timed } from '../journal/prompts.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';
import { contextFor } from './context.ts';

/** A sign-in that has not taken place. */
interface Supposed {
  readonly userId: string;
  readonly attempt: AttemptInput;
  readonly nowMs: number;
  /** The rules that judge it. */
  readonly ruleset: Ruleset;
}

/**
 * Judges a sign-in that has not taken place: would this user be asked, on this device, now, and if not, why. Changes nothing.
 * Throws `user-unknown`, and `bad-request` for a network that the tenant does not name.
 */
export function explain(state: SandboxState, { userId, attempt, nowMs, ruleset }: Supposed): Verdict {
  const user = state.users.get(userId);
  if (user === undefined) throw unknownUser(userId);
  const facts = {
    tenant: state.tenant,
    user: { ...user.facts, snooze: snoozeAfterLeaves(state, user, nowMs) },
    attempt: completeAttempt(contextFor(state, userId, attempt), user.facts, nowMs),
  };
  return withGuesses(state.model.judge(facts, ruleset), user.facts, user);
}

/**
 * A verdict on a passkey campaign with what it had to guess: passkeys whose kind is derived from flags and transports (A51).
 * Takes the passkeys that it was judged on, and what the user's passkeys are verified by.
 */
export function withGuesses(
  verdict: Verdict,
  { passkeys }: Pick<UserFacts, 'passkeys'>,
  { credentials }: Pick<UserRecord, 'credentials'>,
): Verdict {
  if (verdict.campaign.method !== 'fido2') return verdict;
  return withWarnings(
    verdict,
    credentials.flatMap(({ id, name, kindConfidence }) => {
      const type = passkeys.find(({ credentialId }) => credentialId === id)?.type;
      if (type === undefined || kindConfidence === 'known') return [];
      const message = `Passkey "${name}" counts as ${type}: derived, low confidence (A51), as its AAGUID is not known.`;
      return [{ code: 'passkey-kind-derived', message }] as const;
    }),
  );
}

/** A verdict with more warnings than the rules have. */
export function withWarnings(verdict: Verdict, warnings: readonly Warning[]): Verdict {
  return warnings.length === 0 ? verdict : { ...verdict, warnings: [...verdict.warnings, ...warnings] };
}

/** The ledger that the next sign-in would find: what the user left open is settled before it is judged (A41). */
function snoozeAfterLeaves(state: SandboxState, user: UserRecord, nowMs: number): SnoozeLedger {
  if (user.nudge.context.openPrompts.length === 0) return user.facts.snooze;
  const { count, snoozedAtMs } = state.model.stepNudge(user.nudge, {
    type: 'leaves.settled',
    ...timed(state, nowMs),
  }).context;
  return { count, snoozedAtMs };
}

/** The error for a user that the sandbox does not hold. */
export function unknownUser(userId: string): NudgeLabError {
  return new NudgeLabError('user-unknown', { message: `This sandbox holds no user "${userId}".` });
}
