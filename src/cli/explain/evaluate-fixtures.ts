import { evaluate } from '../../../machines/evaluate.ts';
import { rulesInForce } from '../../../machines/ruleset-gates.ts';
import { type SnoozesLeft, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { AttemptFacts, Ruleset, UserFacts, Verdict } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import { withUsableFactor } from '../../journal/usable-factor.ts';
import { contextFor } from '../../sandbox/context.ts';
import { planSandbox } from '../../sandbox/sandbox.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';

/** Hypothetical sign-in of one user of a tenant. */
export interface FixtureSignIn {
  /** Name of a fixture, or facts that can extend one. */
  readonly tenant: unknown;
  readonly user: unknown;
  readonly userId: string;
  readonly attempt: AttemptPatch;
  readonly ruleset: Ruleset;
  /** Settings of the ruleset that the tenant does not set. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Time of the sign-in in milliseconds since the epoch; `null` if it is the initial time of a sandbox. */
  readonly nowMs: number | null;
}

/** Verdict of a hypothetical sign-in, with its headline and the complete attempt. */
export interface EvaluatedSignIn {
  readonly attempt: AttemptFacts;
  readonly verdict: Verdict;
  readonly headline: string;
}

/** Evaluates one sign-in of fixtures. Throws `fixture-not-found`, `fixture-invalid` and `bad-request`. */
export function evaluateFixtures(
  fixtures: FixtureLibrary,
  {
    tenant: givenTenant,
    user: givenUser,
    userId,
    attempt: patch,
    ruleset,
    settings: chosen = {},
    nowMs,
  }: FixtureSignIn,
): EvaluatedSignIn {
  const { tenant, settings, users, clock } = planSandbox({
    ruleset: ruleset.id,
    tenant: mergePatch({ settings: chosen }, fixtures.resolve('tenants', givenTenant)),
    users: [{ ...fixtures.resolve('users', givenUser), id: userId }],
  });
  const [user] = users;
  if (user === undefined) throw new RangeError('The plan has no user.');
  const state = { tenant, settings, users: new Map([[user.id, { facts: user }]]), acceptedTerms: new Set<string>() };
  const atMs = nowMs ?? clock.nowMs;
  const rules = rulesInForce(ruleset, atMs);
  const usable = withUsableFactor(contextFor(state, user.id, patch), { tenant, user, rules, nowMs: atMs });
  const attempt = completeAttempt(usable, user, atMs);
  const verdict = evaluate({ tenant, user, attempt }, ruleset);
  return { attempt, verdict, headline: verdictHeadline(verdict, snoozesLeft(user, verdict, ruleset), rules.extension) };
}

/** Computes the snoozes left of a user; `null` if the number is unlimited. */
export function snoozesLeft(
  { snooze }: Pick<UserFacts, 'snooze'>,
  { campaign }: Verdict,
  { limits }: Ruleset,
): SnoozesLeft | null {
  const { snoozeLimit: limit } = limits;
  return campaign.limited ? { left: Math.max(0, limit - snooze.count), limit } : null;
}
