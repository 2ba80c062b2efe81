import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import { createOwnWords } from '../../../machines/own/own-sentences.ts';
import { type RulesetWords, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { Counterfactual } from '../../contract/verdict.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import type { OwnLoadedRuleset } from '../../journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox } from '../../sandbox/sandbox.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { EvaluatedSignIn, FixtureSignIn } from './evaluate-fixtures.ts';

/** Verdict of an own campaign with its words, and when it would prompt. */
export interface EvaluatedOwnSignIn extends EvaluatedSignIn {
  readonly words: RulesetWords;
  readonly counterfactual: Counterfactual | null;
}

/** First sign-in of a fixture, without the ruleset that evaluates it. */
type OwnQuestion = Omit<FixtureSignIn, 'ruleset' | 'nowMs'>;

/**
 * Evaluates the first sign-in of a user by a ruleset with the base `own`, at each of some times (OC47).
 *
 * @param fixtures - fixtures of tenants and users
 * @param question - the sign-in
 * @param loaded - ruleset
 * @param times - times of the sign-in in milliseconds; `null` is the initial time of a sandbox
 * @throws NudgeLabError `fixture-not-found`, `fixture-invalid`, `bad-request` and the errors of gate modules
 */
export async function evaluateOwnFixtures(
  fixtures: FixtureLibrary,
  { tenant, user, userId, attempt, settings = {} }: OwnQuestion,
  { ruleset }: OwnLoadedRuleset,
  times: readonly (number | null)[],
): Promise<readonly EvaluatedOwnSignIn[]> {
  const plan = planSandbox({
    ruleset: ruleset.id,
    tenant: mergePatch({ settings }, fixtures.resolve('tenants', tenant)),
    users: [{ ...fixtures.resolve('users', user), id: userId }],
  });
  const answers: EvaluatedOwnSignIn[] = [];
  const startMs = times[0] ?? plan.clock.nowMs;
  // The account of the user is created at the first time, which periods since then are measured from.
  const sandbox = await Sandbox.create('explain', { ...plan, clock: { nowMs: startMs, running: false } }, inMemory());
  for (const time of times) {
    const nowMs = time ?? startMs;
    await sandbox.clock.set({ nowMs });
    const verdict = sandbox.explain(userId, attempt);
    const words = createOwnWords(rulesAt(ruleset, nowMs), toInstant);
    const { snoozes, snoozesLeft } = sandbox.directory.nudgeStatus(userId);
    const left = snoozesLeft === null ? null : { left: snoozesLeft, limit: snoozes + snoozesLeft };
    const facts = completeAttempt(attempt, sandbox.directory.user(userId), nowMs);
    const counterfactual = await sandbox.findCounterfactual(userId, attempt);
    answers.push({ attempt: facts, verdict, headline: verdictHeadline(verdict, left, words), words, counterfactual });
  }
  return answers;
}
