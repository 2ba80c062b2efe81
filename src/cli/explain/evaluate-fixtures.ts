import { evaluate } from '../../../machines/evaluate.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { type SnoozesLeft, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { AttemptFacts, Ruleset, UserFacts, Verdict } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
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
  readonly ruleset: string;
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
  { tenant: givenTenant, user: givenUser, userId, attempt: patch, ruleset: rulesetId, nowMs }: FixtureSignIn,
): EvaluatedSignIn {
  const { tenant, settings, users, clock } = planSandbox({
    tenant: fixtures.resolve('tenants', givenTenant),
    users: [{ ...fixtures.resolve('users', givenUser), id: userId }],
  });
  const [user] = users;
  const ruleset = rulesets.get(rulesetId);
  if (user === undefined || ruleset === undefined) throw new RangeError('The plan has no user, or no ruleset ships.');
  const state = { tenant, settings, users: new Map([[user.id, { facts: user }]]), acceptedTerms: new Set<string>() };
  const attempt = completeAttempt(contextFor(state, user.id, patch), user, nowMs ?? clock.nowMs);
  const verdict = evaluate({ tenant, user, attempt }, ruleset);
  return { attempt, verdict, headline: verdictHeadline(verdict, snoozesLeft(user, verdict, ruleset)) };
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
