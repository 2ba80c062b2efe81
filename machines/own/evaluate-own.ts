import { type Given, holds } from './condition.ts';
import { drawVariant } from './draw.ts';
import { evaluateGenerated, type GateInput, hasGate, reportFacts } from './generated-gates.ts';
import type { LedgerEntry } from './ledger.ts';
import { type KeptFacts, type OwnFacts, readFact } from './own-facts.ts';
import {
  isDataGate,
  type ModuleGate,
  type OwnGate,
  type OwnGateOutcome,
  type OwnRules,
  type OwnRuleset,
  rulesAt,
} from './own-ruleset.ts';
import { cadenceState, deadlineOverFrom, deadlineState, limitReached } from './own-timing.ts';

/** Outcomes of an own ruleset. `blocked` ends the sign-in on a page without a way on. */
export const ownOutcomes = ['none', 'skippable', 'required', 'blocked'] as const;
export type OwnOutcome = (typeof ownOutcomes)[number];

/** Result of one gate in a verdict. */
export type OwnRuleResult = { readonly id: string } & OwnGateOutcome;

/** Result of an own ruleset for one sign-in. */
export interface OwnVerdict {
  readonly ruleset: string;
  /** Id of the edition in force, or `null` before the first one. */
  readonly edition: string | null;
  readonly outcome: OwnOutcome;
  /** Reason code of the first gate that stopped, or `null`. */
  readonly reason: string | null;
  readonly rules: readonly OwnRuleResult[];
  /** Id of the method that the prompt asks for. */
  readonly method: string;
  /** Answers that the prompt offers, in the order of the ruleset. */
  readonly answers: readonly string[];
  readonly deadlineAtMs: number | null;
  readonly variant: string | null;
}

/** Facts and ledger of one attempt. The entries belong to the existing keys, in the order of the ruleset. */
export interface OwnInput {
  readonly facts: OwnFacts;
  readonly entries: readonly LedgerEntry[];
}

/** Returns the facts that an entry of the ledger keeps, or those of an empty ledger (OC20). */
export function keptInLedger(
  entry: LedgerEntry | undefined,
): Pick<KeptFacts, 'shown' | 'firstShownAtMs' | 'lastShownAtMs' | 'answeredAtMs' | 'doneAtMs'> {
  return {
    shown: entry?.shown ?? 0,
    firstShownAtMs: entry?.firstShownAtMs ?? null,
    lastShownAtMs: entry?.lastShownAtMs ?? null,
    answeredAtMs: entry?.answeredAtMs ?? null,
    doneAtMs: entry?.doneAtMs ?? null,
  };
}

/**
 * Evaluates one sign-in by an own ruleset. The evaluation is pure: time, ledger and sign-ins so far are facts.
 *
 * @param ruleset - ruleset with its editions
 * @param input - facts of the sign-in, and the ledger under its keys
 * @returns the verdict with every gate. The first gate that stopped is the reason.
 */
export function evaluateOwn(ruleset: OwnRuleset, input: OwnInput): OwnVerdict {
  const rules = rulesAt(ruleset, input.facts.attempt.nowMs);
  const variant = drawVariant(rules.rollout, input.facts);
  const facts = variant === null ? input.facts : withSettings(input.facts, variant.settings);
  const given: Given = { facts, rules };
  const deadline = deadlineState(given);
  const duty = findDuty(given, deadline?.phase ?? null);
  const gateInput: GateInput = { ...given, entries: input.entries, deadline, duty: duty !== null };
  const results = rules.gates.flatMap((gate): readonly OwnRuleResult[] => {
    if (typeof gate === 'object') {
      const result = isDataGate(gate) ? evaluateDataGate(gate, given) : evaluateModuleGate(gate, given);
      return [{ id: gate.id, ...result }];
    }
    return hasGate(gate, rules) ? [{ id: gate, ...evaluateGenerated(gate, gateInput) }] : [];
  });
  const stop = results.find((result) => result.outcome === 'stopped');
  const outcome = stop === undefined ? promptOutcome(duty, gateInput) : 'none';
  return {
    ruleset: ruleset.id,
    edition: rules.edition,
    outcome,
    reason: stop?.outcome === 'stopped' ? stop.reason : null,
    rules: results,
    method: rules.ask,
    answers: offeredAnswers(rules, outcome),
    deadlineAtMs: deadline?.deadlineAtMs ?? null,
    variant: variant?.id ?? null,
  };
}

/** What an own ruleset decides about a sign-in, without the trace of its gates. */
export type OwnDecision = Pick<OwnVerdict, 'outcome' | 'reason' | 'answers'>;

/**
 * Decides one sign-in by the rules of one time, as `evaluateOwn` does, but reads only the facts that the decision needs:
 * gates after the first that stops are not evaluated.
 *
 * @param rules - rules in force
 * @param input - facts of the sign-in, and the ledger under its keys
 * @returns outcome, reason and offered answers
 */
export function decideOwn(rules: OwnRules, { facts: before, entries }: OwnInput): OwnDecision {
  const variant = drawVariant(rules.rollout, before);
  const facts = variant === null ? before : withSettings(before, variant.settings);
  const given: Given = { facts, rules };
  const input: GateInput = {
    ...given,
    entries,
    get deadline() {
      return deadlineState(given);
    },
    get duty() {
      return findDuty(given, deadlineState(given)?.phase ?? null) !== null;
    },
  };
  for (const gate of rules.gates) {
    const reason = findReason(gate, input);
    if (reason !== null) return { outcome: 'none', reason, answers: [] };
  }
  const outcome = promptOutcome(findDuty(given, deadlineState(given)?.phase ?? null), input);
  return { outcome, reason: null, answers: offeredAnswers(rules, outcome) };
}

/** Returns the reason with which a gate stops, or `null`. */
function findReason(gate: OwnRules['gates'][number], input: GateInput): string | null {
  if (typeof gate === 'object' && isDataGate(gate)) {
    const isSkipped = gate.skipIf !== null && holds(gate.skipIf, input);
    return isSkipped || holds(gate.when, input) ? null : gate.stop;
  }
  if (typeof gate === 'string' && !hasGate(gate, input.rules)) return null;
  const result = typeof gate === 'string' ? evaluateGenerated(gate, input) : evaluateModuleGate(gate, input);
  return result.outcome === 'stopped' ? result.reason : null;
}

function withSettings(facts: OwnFacts, settings: OwnFacts['tenant']['settings']): OwnFacts {
  return { ...facts, tenant: { ...facts.tenant, settings: { ...facts.tenant.settings, ...settings } } };
}

function evaluateDataGate({ when, skipIf, stop }: OwnGate, given: Given): OwnGateOutcome {
  if (skipIf !== null && holds(skipIf, given)) return { outcome: 'not-applicable', saw: reportFacts(skipIf, given) };
  const saw = reportFacts(when, given);
  return holds(when, given) ? { outcome: 'met', saw } : { outcome: 'stopped', reason: stop, saw };
}

/** Evaluates the gate of a module, unless it applies to another method than the prompt asks for (OC31). */
export function evaluateModuleGate(gate: ModuleGate, { facts, rules }: Given): OwnGateOutcome {
  if (gate.appliesTo !== 'both' && gate.appliesTo !== rules.ask) {
    return { outcome: 'not-applicable', saw: { method: rules.ask } };
  }
  return gate.evaluate((path) => readFact(path, facts, rules));
}

/** Key of a ruleset file that demands the registration or blocks the sign-in. */
export type DemandingKey = 'requirement.blocked' | 'requirement.required' | 'deadline' | 'limit';

/** What a ruleset demands, and by which key. */
interface Demand {
  readonly outcome: 'required' | 'blocked';
  readonly by: DemandingKey;
}

/** Returns what the requirement and the deadline demand, regardless of earlier answers (OC23). */
function findDuty(given: Given, phase: 'notYetOpen' | 'before' | 'over' | null): Demand | null {
  const { requirement, deadline } = given.rules;
  const byDeadline = deadline === null || phase === null ? null : phase === 'over' ? deadline.then : deadline.before;
  if (byDeadline === 'blocked') return { outcome: 'blocked', by: 'deadline' };
  if (requirement.blocked !== null && holds(requirement.blocked, given)) {
    return { outcome: 'blocked', by: 'requirement.blocked' };
  }
  if (requirement.required !== null && holds(requirement.required, given)) {
    return { outcome: 'required', by: 'requirement.required' };
  }
  return byDeadline === 'required' ? { outcome: 'required', by: 'deadline' } : null;
}

function addLimit(duty: Demand | null, given: GateInput): Demand | null {
  const [first] = given.entries;
  const { limit } = given.rules;
  if (limit === null || limit.then === 'never' || first === undefined || duty?.outcome === 'blocked') return duty;
  if (duty !== null && limit.then === 'required') return duty;
  return limitReached(first, given) ? { outcome: limit.then, by: 'limit' } : duty;
}

function promptOutcome(duty: Demand | null, given: GateInput): OwnOutcome {
  return addLimit(duty, given)?.outcome ?? 'skippable';
}

function offeredAnswers({ answers }: OwnRules, outcome: OwnOutcome): readonly string[] {
  if (outcome === 'none' || outcome === 'blocked') return [];
  return Object.entries(answers)
    .filter(([id]) => id !== 'close' && id !== 'expire' && id !== 'next')
    .filter(([, { whenRequired }]) => outcome === 'skippable' || whenRequired === 'offered')
    .map(([id]) => id);
}

/**
 * Returns what the rules demand at the time of an answer: a prompt can become required while it is open (A39, A42).
 */
export function demandAt(ruleset: OwnRuleset, input: OwnInput): OwnOutcome {
  return findDemand(ruleset, input)?.outcome ?? 'skippable';
}

/** Returns what a ruleset demands if no gate stops, and the key of its file that demands it; `null` for a skippable prompt. */
export function findDemand(ruleset: OwnRuleset, { facts, entries }: OwnInput): Demand | null {
  const rules = rulesAt(ruleset, facts.attempt.nowMs);
  const given = drawSettings(rules, facts);
  const deadline = deadlineState(given);
  const duty = findDuty(given, deadline?.phase ?? null);
  return addLimit(duty, { ...given, entries, deadline, duty: duty !== null });
}

/** Returns the rules with the facts whose settings the variant of the sign-in has changed (OC28). */
export function drawSettings(rules: OwnRules, facts: OwnFacts): Given {
  const variant = drawVariant(rules.rollout, facts);
  return { facts: variant === null ? facts : withSettings(facts, variant.settings), rules };
}

/**
 * Returns the time until which earlier answers keep the prompt away, or `null` if no time ends that: nothing waits, or the
 * user is not prompted again. A deadline that ends earlier ends the wait too, because answers do not count against it.
 */
export function nextPromptAt(ruleset: OwnRuleset, { facts, entries }: OwnInput): number | null {
  const given = drawSettings(rulesAt(ruleset, facts.attempt.nowMs), facts);
  const deadline = deadlineState(given);
  const duty = findDuty(given, deadline?.phase ?? null) !== null;
  const input: GateInput = { ...given, entries, deadline, duty };
  const isOver = evaluateGenerated('X.never', input).outcome === 'stopped';
  if (!isOver && evaluateGenerated('X.cadence', input).outcome !== 'stopped') return null;
  const untilMs = isOver ? null : waitsUntil(entries, given);
  if (untilMs === null && !isOver && given.rules.cadence.kind === 'signIns') return null;
  if (deadline === null || given.rules.deadline === null || deadline.phase === 'over') return untilMs;
  const overFromMs = deadlineOverFrom(deadline, given.rules.deadline);
  if (untilMs !== null && untilMs < overFromMs) return untilMs;
  return given.rules.deadline.then === 'required' ? overFromMs : null;
}

function waitsUntil(entries: readonly LedgerEntry[], given: Given): number | null {
  const times = entries.flatMap((entry) => {
    const state = cadenceState(entry, given);
    return state.waits && state.untilMs !== null ? [state.untilMs] : [];
  });
  return times.length === 0 ? null : Math.max(...times);
}
