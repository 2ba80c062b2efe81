import { dayMs, snoozeDaysMax, snoozeLimit } from '../../machines/campaign-limits.ts';
import { evaluate } from '../../machines/evaluate.ts';
import type { Rule } from '../../machines/rules/rule.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import {
  type AttemptFacts,
  type ReasonCode,
  type Ruleset,
  reasonCodes,
  type TenantFacts,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import { CompiledEvaluator } from '../compiled/compiled-evaluator.ts';
import { FactSpace } from '../compiled/fact-space.ts';

/** Stands for no reason: every gate but the snooze timer lets the prompt pass. Reasons count from 1 in the order of the list. */
export const noReason = 0;

/** The number of a reason. */
function reasonNumber(reason: ReasonCode | null): number {
  return reason === null ? noReason : reasonCodes.indexOf(reason) + 1;
}

/**
 * The reasons for which users are not asked at attempts, whatever the snooze timer says: for each user and attempt the number of
 * the first reason in the ruleset's order, or `noReason`. The users' facts have no snooze. Takes the tenant, the ruleset, and all
 * users and attempts that there are; each gate is asked once for each class of the facts that it declares.
 */
export function verdictTable(
  tenant: TenantFacts,
  ruleset: Ruleset,
  users: readonly UserFacts[],
  attempts: readonly AttemptFacts[],
): (user: number, attempt: number) => number {
  const [user] = users;
  const [attempt] = attempts;
  if (user === undefined || attempt === undefined) throw new RangeError('Someone must sign in somehow.');
  assertTimerIsLast(ruleset);
  const evaluator = new CompiledEvaluator(
    new FactSpace({ tenant, user, attempt }, [
      { name: 'user', values: users.map((facts, place) => ({ name: String(place), sets: { user: facts } })) },
      { name: 'attempt', values: attempts.map((facts, place) => ({ name: String(place), sets: { attempt: facts } })) },
    ]),
    ruleset,
  );
  const numbers = evaluator.codes.map(({ reason }) => reasonNumber(reason));
  return (userPlace, attemptPlace) => numbers[evaluator.codeAt([userPlace, attemptPlace])] as number;
}

/**
 * The timer stands last in every ruleset, so that it is the reason only where no other gate stops; an order that breaks this is a
 * fault of the ruleset.
 */
function assertTimerIsLast(ruleset: Ruleset): void {
  const gates = ruleset.order.map(getRule);
  const firstTimed = gates.findIndex(isTimed);
  if (firstTimed !== -1 && gates.slice(firstTimed).some((rule) => !isTimed(rule))) {
    throw new RangeError(`Ruleset ${ruleset.id} asks a gate after those that read time.`);
  }
}

function isTimed({ reads }: Pick<Rule, 'reads'>): boolean {
  return reads.some((path) => path.startsWith('user.snooze') || path === 'attempt.nowMs');
}

/** What the rules say of nudge statuses, for users and attempts that nothing else keeps from being asked. */
export interface TimerTable {
  /** Whole days after which a snooze is over. */
  readonly snoozeDays: number;
  /** The number of the timer's reason. */
  readonly reason: number;
  /** For each count up to three, whether the prompt is required. */
  readonly required: readonly boolean[];
}

/**
 * Asks `evaluate` itself about every nudge status: each count, and each whole number of days since the latest snooze. Takes facts that
 * no other gate stops. A snooze that is over is over for good, which is asked as well and not taken for granted.
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
    throw new RangeError('A snooze does not end, or begins again by itself.');
  }
  return {
    snoozeDays,
    reason: reasonNumber(stopped[0]?.reason ?? null),
    required: Array.from({ length: snoozeLimit + 1 }, (_, count) => ask(count, null).outcome === 'required'),
  };
}
