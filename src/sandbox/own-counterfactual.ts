import { listReads } from '../../machines/own/condition.ts';
import { decideOwn, type OwnOutcome } from '../../machines/own/evaluate-own.ts';
import { listConditions } from '../../machines/own/list-conditions.ts';
import type { FactValues } from '../../machines/own/own-facts.ts';
import { fixedFacts, readFact } from '../../machines/own/own-facts.ts';
import {
  type FactDefinition,
  type FactValue,
  isModuleGate,
  type OwnRules,
  rulesAt,
} from '../../machines/own/own-ruleset.ts';
import { FactSpace } from '../../machines/own/representatives.ts';
import { withFacts } from '../../machines/own/trial-facts.ts';
import { writeDeclaredValues } from '../contract/declared-values.ts';
import type { Counterfactual } from '../contract/verdict.schema.ts';
import { toInstantOrNull } from '../core/clock.ts';
import { type ChangedQuestion, type OwnQuestion, settleQuestion } from './own-question.ts';
import { listTurningPoints } from './own-turning-points.ts';

/** Maximum number of facts that are changed together. */
const changesMax = 3;

/** Maximum number of evaluations of one search for facts. */
const evaluationsMax = 5_000;

/** Maximum number of listed combinations of facts. */
const listedMax = 5;

/**
 * Finds when, and under which other facts, a sign-in without a prompt would have one (OC47): the earliest later time at
 * which nothing but the time has changed, and the smallest changes of facts at the same time. Both are exact unless
 * `complete` is false.
 *
 * @param question - the sign-in
 * @param outcome - outcome of its verdict
 * @returns the counterfactual, or `null` for a sign-in with a prompt
 */
export function findCounterfactual(question: OwnQuestion, outcome: OwnOutcome): Counterfactual | null {
  if (outcome === 'skippable' || outcome === 'required') return null;
  const time = findTime(question);
  const facts = new FactChanges(question).find();
  return {
    promptedFrom: toInstantOrNull(time.atMs),
    promptedIf: facts.changes,
    complete: time.isExact && facts.isExact,
  };
}

function isPrompted(question: OwnQuestion, changed: ChangedQuestion): boolean {
  const { outcome } = decideOwn(rulesAt(question.ruleset, changed.nowMs), settleQuestion(question, changed));
  return outcome === 'skippable' || outcome === 'required';
}

/** Finds the earliest later time with a prompt. Between two turning points, no verdict changes. */
function findTime(question: OwnQuestion): { readonly atMs: number | null; readonly isExact: boolean } {
  const { tenant, user, attempt } = question;
  const { times, isExact } = listTurningPoints(question);
  const atMs = times.find((nowMs) => isPrompted(question, { nowMs, tenant, user, attempt }));
  return { atMs: atMs ?? null, isExact };
}

/** Facts that belong to the moment or to the ledger, and names, which are no reasons that anyone can change. */
const unchanged: ReadonlySet<string> = new Set([
  'tenant.id',
  'user.id',
  'attempt.nowMs',
  'attempt.sessionId',
  'attempt.deviceId',
  'attempt.browserId',
  'attempt.ecosystem',
]);

/** Fact with the values that stand for all others. */
interface ChangeableFact {
  readonly path: string;
  readonly values: readonly FactValue[];
}

/** Search for the smallest changes of facts that lead to a prompt. */
class FactChanges {
  readonly #question: OwnQuestion;
  readonly #rules: OwnRules;
  readonly #facts: readonly ChangeableFact[];
  #isExact = true;
  #evaluations = 0;

  constructor(question: OwnQuestion) {
    this.#question = question;
    const { nowMs } = question.attempt;
    this.#rules = withSettings(rulesAt(question.ruleset, nowMs), question.tenant.settings);
    this.#facts = this.#listFacts(nowMs);
  }

  /** Returns all smallest combinations of facts, the first value of each. */
  find(): { readonly changes: Counterfactual['promptedIf']; readonly isExact: boolean } {
    for (let size = 1; size <= Math.min(changesMax, this.#facts.length); size += 1) {
      const found: ReadonlyMap<string, FactValue>[] = [];
      for (const facts of combinations(this.#facts, size)) {
        if (found.length > listedMax || this.#evaluations > evaluationsMax) break;
        const values = this.#findValues(facts, new Map());
        if (values !== null) found.push(values);
      }
      if (found.length > 0) {
        const isWhole = found.length <= listedMax && this.#evaluations <= evaluationsMax;
        const changes = found.slice(0, listedMax).map((values) => this.#write(values));
        return { changes, isExact: this.#isExact && isWhole };
      }
      if (this.#evaluations > evaluationsMax) break;
    }
    const isExhausted = this.#evaluations <= evaluationsMax && this.#facts.length <= changesMax;
    return { changes: [], isExact: this.#isExact && isExhausted };
  }

  #listFacts(nowMs: number): readonly ChangeableFact[] {
    const conditions = listConditions(this.#rules);
    const modules = this.#rules.gates.filter((gate) => isModuleGate(gate));
    const period = { fromMs: nowMs, untilMs: nowMs + 1 };
    const { facts: declared } = this.#question.ruleset;
    const space = new FactSpace({ rules: this.#rules, facts: declared, period }, conditions, modules);
    const { keys } = this.#rules.ledger;
    const parts = keys.flat().flatMap((part) => (part === 'ecosystem' ? ['attempt.os'] : [part]));
    const reads = [
      ...conditions.flatMap(listReads),
      ...modules.flatMap((gate) => gate.reads),
      ...parts.filter((part) => part.includes('.')),
      ...(this.#rules.gates.includes('X.trigger') ? ['attempt.kind'] : []),
      ...(this.#rules.matrix === null ? [] : ['user.passkeys', 'attempt.os', 'attempt.browser', 'attempt.surface']),
    ].flatMap((path) => (path === 'attempt.ecosystem' ? ['attempt.os'] : [path]));
    const paths = [...new Set(reads)].filter(
      (path) => !unchanged.has(path) && !path.startsWith('kept.') && !path.startsWith('tenant.settings.'),
    );
    return paths.flatMap((path): readonly ChangeableFact[] => {
      const { values, exact } = space.read(path);
      const current = JSON.stringify(this.#read(path));
      const others = values.filter((value) => JSON.stringify(value) !== current);
      if (!exact || modules.some((gate) => gate.reads.includes(path) && !space.hasSamples(path))) this.#isExact = false;
      return others.length === 0 ? [] : [{ path, values: nearestFirst(others, this.#read(path)) }];
    });
  }

  /** Returns values of the facts with which the user is prompted, or `null`. */
  #findValues(facts: readonly ChangeableFact[], set: Map<string, FactValue>): ReadonlyMap<string, FactValue> | null {
    const [first, ...rest] = facts;
    if (first === undefined) {
      this.#evaluations += 1;
      const { tenant, user, attempt } = this.#question;
      const changed = withFacts({ tenant, user, attempt }, set);
      const isFound = isPrompted(this.#question, { ...changed, nowMs: attempt.nowMs });
      return isFound ? new Map(set) : null;
    }
    for (const value of first.values) {
      if (this.#evaluations > evaluationsMax) return null;
      const found = this.#findValues(rest, set.set(first.path, value));
      if (found !== null) return found;
    }
    set.delete(first.path);
    return null;
  }

  #read(path: string): FactValue {
    const { tenant, user, attempt, owner } = this.#question;
    const kept = {
      createdAtMs: owner.createdAtMs,
      signIns: 1,
      previousSignInAtMs: null,
      signInTimesMs: [],
      deadlineFromMs: null,
      shown: 0,
      firstShownAtMs: null,
      lastShownAtMs: null,
      answeredAtMs: null,
      doneAtMs: null,
    };
    return readFact(path, { tenant, user, attempt, kept }, this.#rules);
  }

  #write(values: ReadonlyMap<string, FactValue>): Counterfactual['promptedIf'][number] {
    return [...values].map(([fact, value]) => ({ fact, value: this.#writeValue(fact, value) }));
  }

  #writeValue(path: string, value: FactValue): FactValue {
    const [owner, group, name = ''] = path.split('.');
    if (group !== 'facts' || fixedFacts.has(path)) return value;
    const definitions: Readonly<Record<string, FactDefinition>> =
      this.#question.ruleset.facts[owner as 'tenant' | 'user' | 'attempt'];
    return writeDeclaredValues({ [name]: value }, definitions)[name] ?? null;
  }
}

/** Returns rules whose settings have the values of the tenant as their defaults. */
function withSettings(rules: OwnRules, values: FactValues): OwnRules {
  const settings = Object.entries(rules.settings).map(([name, definition]) => [
    name,
    { ...definition, default: values[name] ?? definition.default },
  ]);
  return { ...rules, settings: Object.fromEntries(settings) };
}

/** Sorts numbers and sets by how little they differ from the current value; other values keep their order. */
function nearestFirst(values: readonly FactValue[], current: FactValue): readonly FactValue[] {
  const distance = (value: FactValue): number => {
    if (typeof value === 'number') return typeof current === 'number' ? Math.abs(value - current) : 0;
    if (!Array.isArray(value) || !Array.isArray(current)) return 0;
    const [to, from] = [value as readonly string[], current as readonly string[]];
    return to.filter((item) => !from.includes(item)).length + from.filter((item) => !to.includes(item)).length;
  };
  return values.toSorted((a, b) => distance(a) - distance(b));
}

/** Yields the subsets of a size in order. */
function* combinations<T>(items: readonly T[], size: number, from = 0): Generator<readonly T[], void> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= items.length - size; index += 1) {
    for (const rest of combinations(items, size - 1, index + 1)) yield [items[index] as T, ...rest];
  }
}
