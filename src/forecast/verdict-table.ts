import { dayMs, snoozeDaysMax, snoozeLimit } from '../../machines/campaign-limits.ts';
import { evaluate, gateFactsOf, judge } from '../../machines/judge.ts';
import { ruleOf } from '../../machines/rules/register.ts';
import type { GateFacts, Rule } from '../../machines/rules/rule.ts';
import {
  type AttemptFacts,
  type ReasonCode,
  type Ruleset,
  reasonCodes,
  type TenantFacts,
  type UserFacts,
} from '../../machines/vocabulary.ts';

/** Stands for no reason: every gate but the snooze timer lets the prompt pass. Reasons count from 1 in the order of the list. */
export const noReason = 0;

/** The number of a reason. */
export function reasonNumber(reason: ReasonCode | null): number {
  return reason === null ? noReason : reasonCodes.indexOf(reason) + 1;
}

/** What a gate says of users and of attempts, each told apart by the facts that the gate declares to read of them. */
interface GateTable {
  readonly userClass: Uint32Array;
  readonly attemptClass: Uint32Array;
  readonly attemptClasses: number;
  /** The reason for each class of users and of attempts, user classes outermost. */
  readonly reasons: Uint8Array;
}

/**
 * The reasons for which users are not asked at attempts, whatever the snooze timer says: each gate is asked once for each
 * combination of the facts that it declares to read, and the answers are combined in the ruleset's order.
 */
export class VerdictTable {
  readonly #gates: readonly GateTable[];
  /** The first reason in the ruleset's order, or `noReason`. */
  reasonOf(user: number, attempt: number): number {
    for (const gate of this.#gates) {
      const row = (gate.userClass[user] as number) * gate.attemptClasses;
      const reason = gate.reasons[row + (gate.attemptClass[attempt] as number)] as number;
      if (reason !== noReason) return reason;
    }
    return noReason;
  }

  /** Takes the tenant, the ruleset, and all users and attempts that there are. */
  constructor(tenant: TenantFacts, ruleset: Ruleset, users: readonly UserFacts[], attempts: readonly AttemptFacts[]) {
    const [first] = attempts;
    const [anybody] = users;
    if (first === undefined || anybody === undefined) throw new RangeError('Somebody must sign in somehow.');
    const seenUsers = users.map((user) => gateFactsOf({ tenant, user, attempt: first }, ruleset));
    const seenAttempts = attempts.map((attempt) => gateFactsOf({ tenant, user: anybody, attempt }, ruleset));
    this.#gates = timelessGates(ruleset).map((rule) => gateTable(rule, ruleset, seenUsers, seenAttempts));
  }
}

/**
 * The gates without the snooze timer. The timer stands last in every ruleset, so that it is the reason only where no other
 * gate stops; an order that breaks this is a fault of the ruleset.
 */
function timelessGates(ruleset: Ruleset): readonly Rule[] {
  const gates = ruleset.order.map(ruleOf);
  const firstTimed = gates.findIndex(isTimed);
  if (firstTimed !== -1 && gates.slice(firstTimed).some((rule) => !isTimed(rule))) {
    throw new RangeError(`Ruleset ${ruleset.id} asks a gate after those that read time.`);
  }
  return gates.filter((rule) => !isTimed(rule));
}

function isTimed({ reads }: Pick<Rule, 'reads'>): boolean {
  return reads.some((path) => path.startsWith('user.snooze') || path === 'attempt.nowMs');
}

function gateTable(
  rule: Rule,
  ruleset: Ruleset,
  users: readonly GateFacts[],
  attempts: readonly GateFacts[],
): GateTable {
  const ofUser = rule.reads.filter((path) => path.startsWith('user.') || path === 'memberOf');
  const ofAttempt = rule.reads.filter((path) => path.startsWith('attempt.') || path === 'platform');
  const [userClass, userSamples] = classesOf(users, ofUser);
  const [attemptClass, attemptSamples] = classesOf(attempts, ofAttempt);
  const reasons = new Uint8Array(userSamples.length * attemptSamples.length);
  userSamples.forEach((user, row) => {
    attemptSamples.forEach((attempt, column) => {
      const facts = { ...user, attempt: attempt.attempt, platform: attempt.platform };
      const found = evaluate(rule, facts, ruleset);
      reasons[row * attemptSamples.length + column] = reasonNumber(found.outcome === 'stopped' ? found.reason : null);
    });
  });
  return { userClass, attemptClass, attemptClasses: attemptSamples.length, reasons };
}

/** Tells facts apart by some paths of them: the class of each, and one of every class. */
function classesOf(all: readonly GateFacts[], paths: readonly string[]): readonly [Uint32Array, readonly GateFacts[]] {
  if (paths.length === 0) return [new Uint32Array(all.length), all.slice(0, 1)];
  const numbers = new Map<string, number>();
  const samples: GateFacts[] = [];
  const classes = Uint32Array.from(all, (facts) => {
    const key = JSON.stringify(paths.map((path) => valueAt(facts, path)));
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, samples.length);
    return samples.push(facts) - 1;
  });
  return [classes, samples];
}

function valueAt(facts: GateFacts, path: string): unknown {
  let value: unknown = facts;
  for (const key of path.split('.')) value = (value as Readonly<Record<string, unknown>> | null)?.[key];
  return value instanceof Set ? [...value].sort() : value;
}

/** What the rules say of ledgers, for users and attempts that nothing else keeps from being asked. */
export interface TimerTable {
  /** Whole days after which a snooze is over. */
  readonly snoozeDays: number;
  /** The number of the timer's reason. */
  readonly reason: number;
  /** For each count up to three, whether the prompt is required. */
  readonly required: readonly boolean[];
}

/**
 * Asks `judge` itself about every ledger: each count, and each whole number of days since the latest snooze. Takes facts that
 * no other gate stops. A snooze that is over is over for good, which is asked as well and not taken for granted.
 */
export function timerTable(tenant: TenantFacts, ruleset: Ruleset, user: UserFacts, attempt: AttemptFacts): TimerTable {
  const nowMs = 1_000 * dayMs;
  const ask = (count: number, daysAgo: number | null) => {
    const snooze = { count, snoozedAtMs: daysAgo === null ? null : nowMs - daysAgo * dayMs };
    return judge({ tenant, user: { ...user, snooze }, attempt: { ...attempt, nowMs } }, ruleset);
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
