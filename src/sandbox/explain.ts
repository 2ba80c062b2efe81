import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type {
  Facts,
  Ruleset,
  SnoozeRecord,
  TenantFacts,
  UserFacts,
  Verdict,
  Warning,
} from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { timed } from '../journal/prompts.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';
import { contextFor } from './context.ts';

/** A sign-in that has not taken place. */
interface HypotheticalSignIn {
  readonly userId: string;
  readonly attempt: AttemptInput;
  readonly nowMs: number;
  /** The rules that evaluate it. */
  readonly ruleset: Ruleset;
}

/**
 * Evaluates a sign-in that has not taken place: would this user be asked, on this device, now, and if not, why. Changes nothing.
 * Throws `user-not-found`, and `bad-request` for a network that the tenant does not name.
 */
export function explain(state: SandboxState, { userId, attempt, nowMs, ruleset }: HypotheticalSignIn): Verdict {
  const user = state.users.get(userId);
  if (user === undefined) throw unknownUser(userId);
  const facts = nextFacts(state, user, { attempt, nowMs });
  return withDerivedTypeWarnings(state.model.evaluate(facts, ruleset), user.facts, user);
}

/**
 * The facts that a user's next sign-in would be evaluated on. Takes the state, the user, what is known of the sign-in and its time,
 * and the tenant where it is not as the state has it. Throws `bad-request` for a network that the tenant does not name.
 */
export function nextFacts(
  state: SandboxState,
  user: UserRecord,
  { attempt, nowMs }: Pick<HypotheticalSignIn, 'attempt' | 'nowMs'>,
  tenant: TenantFacts = state.tenant,
): Facts {
  const { facts } = user;
  const campaign = tenant === state.tenant ? state.campaign : effectiveCampaign(tenant, state.ruleset);
  return {
    tenant,
    user: { ...facts, snooze: snoozeAfterLeaves({ model: state.model, campaign }, user, nowMs) },
    attempt: completeAttempt(contextFor(state, facts.id, attempt), facts, nowMs),
  };
}

/**
 * A verdict on a passkey campaign with what it had to guess: passkeys whose kind is derived from flags and transports (A51).
 * Takes the passkeys that it was evaluated on, and what the user's passkeys are verified by.
 */
export function withDerivedTypeWarnings(
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

/**
 * The nudge status that a sign-in at a time would find: what ended by then and what the user left open is settled before it is evaluated
 * (A40, A41). Takes the model with the campaign in force, the user and the time.
 */
export function snoozeAfterLeaves(
  state: Pick<SandboxState, 'model' | 'campaign'>,
  user: UserRecord,
  nowMs: number,
): SnoozeRecord {
  if (user.nudge.context.openPrompts.length === 0) return user.facts.snooze;
  const ended = state.model.stepNudge(user.nudge, { type: 'time.passed', ...timed(state, nowMs) });
  const settled = state.model.stepNudge(ended, { type: 'pendingClose.settled', ...timed(state, nowMs) });
  const { count, snoozedAtMs } = settled.context;
  return { count, snoozedAtMs };
}

/** The error for a user that the sandbox does not hold. */
export function unknownUser(userId: string): NudgeLabError {
  return new NudgeLabError('user-not-found', { message: `This sandbox holds no user "${userId}".` });
}
