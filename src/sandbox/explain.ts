import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
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
import { endSentence, suggestName } from '../core/nearest-name.ts';
import { timed } from '../journal/prompts.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';
import { withUsableFactor } from '../journal/usable-factor.ts';
import { contextFor } from './context.ts';

/** Sign-in to evaluate that has not happened. */
interface HypotheticalSignIn {
  readonly userId: string;
  readonly attempt: AttemptInput;
  readonly nowMs: number;
  /** Ruleset to evaluate. */
  readonly ruleset: Ruleset;
}

/** Time and context of a hypothetical sign-in. The ruleset is that of the sandbox, unless another one is evaluated. */
type FactsQuestion = Pick<HypotheticalSignIn, 'attempt' | 'nowMs'> & Partial<Pick<HypotheticalSignIn, 'ruleset'>>;

/**
 * Evaluates a hypothetical sign-in: whether the user would be prompted on this device now, and the reason if not.
 * The sandbox does not change. Throws `user-not-found`, or `bad-request` for a network that is not a named location
 * of the tenant.
 */
export function explain(state: SandboxState, { userId, attempt, nowMs, ruleset }: HypotheticalSignIn): Verdict {
  const user = state.users.get(userId);
  if (user === undefined) throw unknownUser(userId, state.users);
  const facts = nextFacts(state, user, { attempt, nowMs, ruleset });
  return withDerivedTypeWarnings(state.model.evaluate(facts, ruleset), user.facts, user);
}

/**
 * Returns the facts for the next sign-in of a user. `tenant` can differ from the tenant in the state. Throws
 * `bad-request` for a network that is not a named location of the tenant.
 */
export function nextFacts(
  state: SandboxState,
  user: UserRecord,
  { attempt, nowMs, ruleset: evaluated = state.ruleset }: FactsQuestion,
  tenant: TenantFacts = state.tenant,
): Facts {
  const { facts } = user;
  const campaign =
    tenant === state.tenant ? state.campaign : effectiveCampaign(tenant, rulesInForce(state.ruleset, nowMs));
  const { model, ruleset, signIns } = state;
  const snooze = snoozeAfterLeaves({ model, campaign, ruleset, tenant, signIns }, user, nowMs);
  const rules = rulesInForce(evaluated, nowMs);
  const patch = withUsableFactor(contextFor(state, facts.id, attempt), { tenant, user: facts, rules, nowMs });
  return { tenant, user: { ...facts, snooze }, attempt: completeAttempt(patch, facts, nowMs) };
}

/**
 * Adds warnings to the verdict of a passkey campaign for each passkey whose type was derived from flags and
 * transports (A51).
 *
 * @param verdict - verdict to extend
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
      const message = `Passkey "${name}" counts as ${type}: derived, low confidence (A51), because its AAGUID is unknown.`;
      return [{ code: 'passkey-kind-derived', message }] as const;
    }),
  );
}

/** Adds warnings to those of a verdict. */
export function withWarnings(verdict: Verdict, warnings: readonly Warning[]): Verdict {
  return warnings.length === 0 ? verdict : { ...verdict, warnings: [...verdict.warnings, ...warnings] };
}

/**
 * Returns the snooze record that a sign-in at a given time would be evaluated on. Expired prompts and pending
 * closes of the user are settled first (A40, A41).
 */
export function snoozeAfterLeaves(
  state: Pick<SandboxState, 'model' | 'campaign' | 'ruleset' | 'tenant' | 'signIns'>,
  user: UserRecord,
  nowMs: number,
): SnoozeRecord {
  if (user.nudge.context.openPrompts.length === 0) return user.facts.snooze;
  const ended = state.model.stepNudge(user.nudge, { type: 'time.passed', ...timed(state, nowMs, user) });
  const settled = state.model.stepNudge(ended, { type: 'pendingClose.settled', ...timed(state, nowMs, user) });
  const { count, snoozedAtMs } = settled.context;
  return { count, snoozedAtMs };
}

/** Maximum number of users among which the nearest id is looked for. */
const suggestedUsersMax = 1_000;

/** Ids of users. */
interface KnownUsers {
  readonly size: number;
  keys(): Iterable<string>;
}

/** Creates the error for a user that does not exist in the sandbox. It names the nearest one of the given users. */
export function unknownUser(userId: string, users: KnownUsers = new Map()): NudgeLabError {
  const nearest = users.size > suggestedUsersMax ? '' : suggestName(userId, [...users.keys()]);
  const message = endSentence(`User "${userId}" does not exist in this sandbox${nearest}`);
  return new NudgeLabError('user-not-found', { message });
}
