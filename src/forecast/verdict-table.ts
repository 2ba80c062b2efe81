import { dayMs, snoozeDaysMax, snoozeLimit } from '../../machines/campaign-limits.ts';
import { evaluate } from '../../machines/evaluate.ts';
import type { Rule } from '../../machines/rules/rule.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import { createGates } from '../../machines/ruleset-gates.ts';
import {
  type AttemptFacts,
  type Reason,
  type Ruleset,
  reasonCodes,
  type TenantFacts,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import { CompiledEvaluator } from '../compiled/compiled-evaluator.ts';
import { FactSpace } from '../compiled/fact-space.ts';
import { NudgeLabError } from '../core/errors.ts';
import { rowCounters } from './counters.ts';

/**
 * Reason number if only the snooze timer can stop the prompt. Other reasons are numbered from 1 in the order of the
 * list.
 */
export const noReason = 0;

/** Maximum number of reasons that the rows of the counters have room for. */
const reasonsMax = rowCounters - 1;

/**
 * Returns the reasons of a ruleset by their numbers, from 1 on: the built-in ones, then those of its file.
 *
 * @throws NudgeLabError `forecast-too-large` for a file with too many reasons
 */
export function listReasons({ extension }: Pick<Ruleset, 'extension'>): readonly Reason[] {
  const own = Object.values(extension?.gates ?? {}).map(({ stop }) => stop);
  const reasons = [...new Set<Reason>([...reasonCodes, ...own])];
  if (reasons.length <= reasonsMax) return reasons;
  throw new NudgeLabError('forecast-too-large', {
    message: `The ruleset has ${reasons.length - reasonCodes.length} reasons of its own; a forecast counts at most ${reasonsMax - reasonCodes.length}.`,
  });
}

/** Returns the number of a reason of a ruleset. */
function reasonNumber(reason: Reason | null, ruleset: Ruleset): number {
  return reason === null ? noReason : listReasons(ruleset).indexOf(reason) + 1;
}

/**
 * Computes the reason for suppressing a prompt for each user and attempt, without the snooze timer. A value is the
 * number of the first reason in ruleset order, or `noReason`. The users' facts contain no snooze. Each gate is
 * evaluated once per class of its declared facts.
 */
export function verdictTable(
  tenant: TenantFacts,
  ruleset: Ruleset,
  users: readonly UserFacts[],
  attempts: readonly AttemptFacts[],
): (user: number, attempt: number) => number {
  const [user] = users;
  const [attempt] = attempts;
  if (user === undefined || attempt === undefined)
    throw new RangeError('At least one user and one attempt are required.');
  assertTimerIsLast(ruleset);
  const evaluator = new CompiledEvaluator(
    new FactSpace({ tenant, user, attempt }, [
      { name: 'user', values: users.map((facts, place) => ({ name: String(place), sets: { user: facts } })) },
      { name: 'attempt', values: attempts.map((facts, place) => ({ name: String(place), sets: { attempt: facts } })) },
    ]),
    ruleset,
  );
  const numbers = evaluator.codes.map(({ reason }) => reasonNumber(reason, ruleset));
  return (userPlace, attemptPlace) => numbers[evaluator.codeAt([userPlace, attemptPlace])] as number;
}

/**
 * Asserts that the snooze timer is the last gate of a ruleset. It then stops a prompt only if no other gate does.
 * Another order is an error in the ruleset.
 */
function assertTimerIsLast(ruleset: Ruleset): void {
  const gates = createGates(ruleset, getRule);
  const firstTimed = gates.findIndex(isTimed);
  if (firstTimed !== -1 && gates.slice(firstTimed).some((rule) => !isTimed(rule))) {
    throw new RangeError(`Ruleset ${ruleset.id} evaluates another gate after the gates that use the time.`);
  }
}

function isTimed({ reads }: Pick<Rule, 'reads'>): boolean {
  return reads.some((path) => path.startsWith('user.snooze') || path === 'attempt.nowMs');
}

/** Effect of the nudge status on users and attempts that no other gate stops. */
export interface TimerTable {
  /** Snooze duration in whole days. */
  readonly snoozeDays: number;
  /** Number of the timer's reason. */
  readonly reason: number;
  /** True if the prompt is required, by snooze count up to three. */
  readonly required: readonly boolean[];
}

/**
 * Computes the timer table by calling `evaluate` for every nudge status, which is each snooze count and each whole
 * number of days since the latest snooze. No other gate may stop the given facts. The function also verifies that
 * an ended snooze period does not start again.
 */
export function timerTable(tenant: TenantFacts, ruleset: Ruleset, user: UserFacts, attempt: AttemptFacts): TimerTable {
  const nowMs = 1_000 * dayMs;
  const ask = (count: number, daysAgo: number | null) => {
    const snooze = { count, snoozedAtMs: daysAgo === null ? null : nowMs - daysAgo * dayMs };
    return evaluate({ tenant, user: { ...user, snooze }, attempt: { ...attempt, nowMs } }, ruleset);
  };
  const days = Array.from({ length: snoozeDaysMax + 1 }, (_, daysAgo) => ask(1, daysAgo));
  const snoozeDays = days.findIndex(({ outcome }) => outcome !== 'none');
  const stopped = days.slice(0, snoozeDays);
  if (snoozeDays === -1 || days.slice(snoozeDays).some(({ outcome }) => outcome === 'none')) {
    throw new RangeError('A snooze does not end, or restarts without a prompt.');
  }
  return {
    snoozeDays,
    reason: reasonNumber(stopped[0]?.reason ?? null, ruleset),
    required: Array.from({ length: snoozeLimit + 1 }, (_, count) => ask(count, null).outcome === 'required'),
  };
}
