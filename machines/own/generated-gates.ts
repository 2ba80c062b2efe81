import { type Given, holds, nameReads } from './condition.ts';
import { drawShare } from './draw.ts';
import type { LedgerEntry } from './ledger.ts';
import { platformAt, readFact } from './own-facts.ts';
import {
  type Condition,
  type EvaluatedValues,
  type GeneratedGate,
  generatedGates,
  type OwnGateOutcome,
  type OwnRules,
} from './own-ruleset.ts';
import { cadenceState, type DeadlineState, limitReached, rolloutPercent } from './own-timing.ts';

/** Everything that the generated gates are evaluated on. */
export interface GateInput extends Given {
  /** Entries of the ledger keys that exist for this attempt, in the order of the ruleset. */
  readonly entries: readonly LedgerEntry[];
  readonly deadline: DeadlineState | null;
  /** True if the user must register by the requirement or the deadline, whatever was answered before (OC23). */
  readonly duty: boolean;
}

/** Reason codes with which each generated gate can stop a prompt. */
export const generatedReasons: Readonly<Record<GeneratedGate, readonly string[]>> = {
  'X.trigger': ['not-this-moment'],
  'X.rollout': ['not-rolled-out'],
  'X.done': ['already-done'],
  'X.window': ['not-yet-open', 'closed'],
  'X.never': ['answered-never', 'limit-reached'],
  'X.session': ['answered-this-session'],
  'X.cadence': ['snoozed', 'already-shown'],
};

/** Summary of each generated gate. */
export const generatedSummaries: Readonly<Record<GeneratedGate, string>> = {
  'X.trigger': 'The campaign prompts at this kind of sign-in and after these factors.',
  'X.rollout': 'The sign-in is in the share that the campaign is rolled out to.',
  'X.done': 'The user has not done yet what the prompt asks for.',
  'X.window': 'The deadline has opened the campaign and has not closed it.',
  'X.never': 'The user has not turned the prompt down for good.',
  'X.session': 'The user has not turned the prompt down in this session.',
  'X.cadence': 'It is time to prompt the user again.',
};

/** Returns true if a ruleset has the data that a generated gate needs. Without it, the gate is left out (OC22). */
export function hasGate(id: GeneratedGate, rules: OwnRules): boolean {
  const known = presentGates.get(rules) ?? new Set(generatedGates.filter((gate) => needsGate(gate, rules)));
  presentGates.set(rules, known);
  return known.has(id);
}

const presentGates = new WeakMap<OwnRules, ReadonlySet<GeneratedGate>>();

function needsGate(id: GeneratedGate, rules: OwnRules): boolean {
  const effects = Object.values(rules.answers).flatMap((answer) => answer.effects);
  switch (id) {
    case 'X.trigger':
      return true;
    case 'X.rollout':
      return rules.rollout !== null && !isWhole(rules.rollout);
    case 'X.done':
      return rules.done !== null || rules.matrix !== null;
    case 'X.window': {
      const { deadline } = rules;
      if (deadline === null) return false;
      return deadline.opens !== null || deadline.before === 'none' || deadline.then === 'none';
    }
    case 'X.never':
      return effects.includes('never') || rules.limit?.then === 'never';
    case 'X.session':
      return effects.includes('session');
    case 'X.cadence':
      return rules.cadence.kind !== 'everySignIn' || Object.values(rules.answers).some((answer) => answer.for !== null);
  }
}

function isWhole({ percent, steps }: NonNullable<OwnRules['rollout']>): boolean {
  return 'constant' in percent && percent.constant === 100 && steps.length === 0;
}

/** Returns the facts that a condition reads, by the names that a verdict reports. */
export function reportFacts(condition: Condition | null, { facts, rules }: Given): EvaluatedValues {
  if (condition === null) return {};
  return Object.fromEntries(nameReads(condition).map(([path, name]) => [name, readFact(path, facts, rules)]));
}

const met = (saw: EvaluatedValues): OwnGateOutcome => ({ outcome: 'met', saw });
const stopped = (reason: string, saw: EvaluatedValues): OwnGateOutcome => ({ outcome: 'stopped', reason, saw });
const notApplicable = (saw: EvaluatedValues): OwnGateOutcome => ({ outcome: 'not-applicable', saw });

/** Evaluates a generated gate. */
export function evaluateGenerated(id: GeneratedGate, input: GateInput): OwnGateOutcome {
  return judges[id](input);
}

/** Gates about earlier answers are not applicable to a duty (OC23). */
const unlessDuty =
  (judge: (input: GateInput) => OwnGateOutcome) =>
  (input: GateInput): OwnGateOutcome =>
    input.duty ? notApplicable({ duty: true }) : judge(input);

const judges: Readonly<Record<GeneratedGate, (input: GateInput) => OwnGateOutcome>> = {
  'X.trigger': (given) => {
    const { on, factors } = given.rules.trigger;
    const { kind } = given.facts.attempt;
    const saw = { kind, ...reportFacts(factors, given) };
    const applies = on.includes(kind) && (factors === null || holds(factors, given));
    return applies ? met(saw) : stopped('not-this-moment', saw);
  },
  'X.rollout': (given) => {
    const { rollout } = given.rules;
    if (rollout === null) return met({});
    const percent = rolloutPercent(given);
    const saw = { percent, position: Math.round(drawShare(rollout, given.facts) * 1_000_000) / 10_000 };
    return drawShare(rollout, given.facts) < percent / 100 ? met(saw) : stopped('not-rolled-out', saw);
  },
  'X.done': (given) => {
    const { done, matrix } = given.rules;
    const isFulfilled = done !== null && holds(done, given);
    if (matrix === null) {
      const saw = reportFacts(done, given);
      return isFulfilled ? stopped('already-done', saw) : met(saw);
    }
    const platform = platformAt(given.facts.attempt);
    const passkeys = given.facts.user.passkeys.map(({ type }) => type);
    const saw = { ...reportFacts(done, given), passkeys, platform };
    const isDone = isFulfilled || passkeys.some((type) => matrix[type]?.includes(platform) === true);
    return isDone ? stopped('already-done', saw) : met(saw);
  },
  'X.window': ({ deadline, rules }) => {
    if (deadline === null || rules.deadline === null) return met({ deadlineAt: null });
    const { phase, deadlineAtMs } = deadline;
    const saw = { deadlineAt: deadlineAtMs };
    if (phase === 'notYetOpen') return stopped('not-yet-open', saw);
    if (phase === 'before') return rules.deadline.before === 'none' ? stopped('not-yet-open', saw) : met(saw);
    return rules.deadline.then === 'none' ? stopped('closed', saw) : met(saw);
  },
  'X.never': unlessDuty((given) => {
    const { entries, rules } = given;
    const never = entries.some((entry) => entry.never);
    const [first] = entries;
    const count = first === undefined ? 0 : rules.limit?.counts === 'shown' ? first.shown : first.count;
    const saw = { never, ...(rules.limit?.then === 'never' ? { count } : {}) };
    if (never) return stopped('answered-never', saw);
    const ends = rules.limit?.then === 'never' && first !== undefined && limitReached(first, given);
    return ends ? stopped('limit-reached', saw) : met(saw);
  }),
  'X.session': unlessDuty(({ entries, facts: { attempt } }) => {
    const answered = entries.some((entry) => entry.sessions.includes(attempt.sessionId));
    const saw = { sessionId: attempt.sessionId };
    return answered ? stopped('answered-this-session', saw) : met(saw);
  }),
  'X.cadence': (given) => {
    const [first] = given.entries;
    const { limit } = given.rules;
    const overridden =
      limit !== null &&
      limit.then !== 'never' &&
      limit.after === 'now' &&
      first !== undefined &&
      limitReached(first, given);
    if (given.duty || overridden) return notApplicable({ duty: true });
    const states = given.entries.map((entry) => cadenceState(entry, given));
    const waiting = states.find((state) => state.waits);
    const saw = {
      count: first?.count ?? 0,
      snoozedAt: first?.snoozedAtMs ?? null,
      until: waiting?.waits === true ? waiting.untilMs : null,
    };
    return waiting?.waits === true ? stopped(waiting.reason, saw) : met(saw);
  },
};
