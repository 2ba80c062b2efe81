import { decideOwn, type OwnDecision } from '../../../../machines/own/evaluate-own.ts';
import { emptyEntry } from '../../../../machines/own/ledger.ts';
import { type FactValue, type OwnRules, type OwnRuleset, rulesAt } from '../../../../machines/own/own-ruleset.ts';
import type { Period, Representatives } from '../../../../machines/own/representatives.ts';
import { usualNowMs } from '../../../../machines/own/trial-facts.ts';
import type { Example } from '../check/search.ts';
import { type ComparedSpace, compareSpaces, joinFacts, type Pair } from './compared-space.ts';
import { LazyFacts, MissingFact } from './lazy-facts.ts';

/** Facts of one sign-in on which two rulesets give unlike verdicts, with as few unusual values as possible. */
export interface OwnDifference {
  readonly verdicts: Pair<OwnDecision>;
  /** Values that are not the usual ones, by path. */
  readonly facts: Example;
  /** Values of all facts that one of the rulesets read. */
  readonly values: Example;
  readonly period: Period;
}

/** Differences of two rulesets at the first prompt of a user. */
export interface OwnDifferences {
  readonly differences: readonly OwnDifference[];
  /** True if all facts were covered, so that there are no others. */
  readonly exact: boolean;
  /** Facts of a first sign-in that both rulesets prompt at, for each period that has some. */
  readonly prompted: readonly { readonly facts: Example; readonly period: Period }[];
}

/** Maximum number of decisions of one comparison. */
const visitsMax = 60_000;

/**
 * Compares two rulesets on every fact that they distinguish, for a user without earlier sign-ins: one value of each
 * region stands for all others, as in `ruleset check`.
 *
 * @param rulesets - the rulesets
 * @returns for each pair of unlike verdicts, the facts with the fewest unusual values
 * @throws NudgeLabError `rulesets-not-comparable` for facts of unlike types
 */
export function findOwnDifferences(rulesets: Pair<OwnRuleset>): OwnDifferences {
  const facts = joinFacts(rulesets);
  const parts = listPeriods(rulesets).map((period) => {
    const atMs = Math.max(period.fromMs, Math.min(0, period.untilMs - 1));
    const rules: Pair<OwnRules> = [rulesAt(rulesets[0], atMs), rulesAt(rulesets[1], atMs)];
    const compared = compareSpaces(rulesets, rules, facts, period);
    return new PeriodComparison(rules, compared, period).run();
  });
  const seen = new Set<string>();
  return {
    differences: parts.flatMap(({ differences }) =>
      differences.filter(({ verdicts }) => {
        const key = verdicts.map(describeDecision).join(' ');
        return !seen.has(key) && seen.add(key).size > 0;
      }),
    ),
    exact: parts.every((part) => part.exact),
    prompted: parts.flatMap(({ prompted }) => prompted),
  };
}

/** Describes a decision: the reason, or the outcome with its answers. */
export function describeDecision({ outcome, reason, answers }: OwnDecision): string {
  if (reason !== null) return reason;
  return answers.length === 0 ? outcome : `${outcome} with ${answers.join(', ')}`;
}

function listPeriods(rulesets: Pair<OwnRuleset>): readonly Period[] {
  const starts = new Set(rulesets.flatMap(({ editions }) => editions.map(({ fromMs }) => fromMs)));
  const borders = [Number.NEGATIVE_INFINITY, ...[...starts].toSorted((a, b) => a - b), Number.POSITIVE_INFINITY];
  return borders.slice(0, -1).map((fromMs, index) => ({ fromMs, untilMs: borders[index + 1] ?? fromMs }));
}

class PeriodComparison {
  readonly #rules: Pair<OwnRules>;
  readonly #compared: ComparedSpace;
  readonly #period: Period;
  readonly #facts: LazyFacts;
  readonly #values = new Map<string, FactValue>();
  /** Facts with the default of each ruleset. */
  readonly #unset = new Map<string, Pair<FactValue>>();
  readonly #changed = new Set<string>();
  readonly #found = new Map<string, OwnDifference>();
  #prompted: Example | null = null;
  /** The facts with prompts whose next instant ahead is the farthest, so that a journey has room for waits. */
  #roomiest: { readonly facts: Example; readonly roomMs: number } | null = null;
  #changesMax = 0;
  #visits = 0;
  #cut = false;
  #exact = true;

  constructor(rules: Pair<OwnRules>, compared: ComparedSpace, period: Period) {
    this.#rules = rules;
    this.#compared = compared;
    this.#period = period;
    this.#facts = new LazyFacts(compared.units.keys());
    this.#exact = compared.exact;
  }

  /** Searches with one more unusual value each time, until no value was left out. */
  run(): OwnDifferences {
    for (this.#changesMax = 0; ; this.#changesMax += 1) {
      this.#cut = false;
      this.#visit();
      if (!this.#cut || this.#visits > visitsMax) break;
    }
    return {
      differences: [...this.#found.values()],
      exact: this.#exact && this.#visits <= visitsMax,
      prompted: [...new Set([this.#prompted, this.#roomiest?.facts ?? null])].flatMap((facts) =>
        facts === null ? [] : [{ facts, period: this.#period }],
      ),
    };
  }

  #visit(): void {
    this.#visits += 1;
    if (this.#visits > visitsMax) return;
    const decided = this.#decide();
    if (typeof decided !== 'string') {
      this.#record(decided);
      return;
    }
    const { values, exact } = this.#read(decided);
    if (!exact) this.#exact = false;
    const defaults = this.#compared.defaults.get(decided);
    // Where the defaults differ, the usual value is that of each ruleset.
    if (defaults !== undefined) {
      this.#unset.set(decided, defaults);
      this.#facts.set(decided, defaults[0]);
      this.#visit();
      this.#unset.delete(decided);
    }
    for (const [place, value] of values.entries()) {
      const index = defaults === undefined ? place : place + 1;
      if (index > 0 && this.#changed.size >= this.#changesMax) {
        this.#cut = true;
        break;
      }
      if (index > 0) this.#changed.add(decided);
      this.#values.set(decided, value);
      this.#facts.set(decided, value);
      this.#visit();
      this.#changed.delete(decided);
    }
    this.#values.delete(decided);
    this.#facts.unset(decided);
  }

  #read(path: string): Representatives {
    const ids = this.#compared.units.get(path);
    return ids === undefined ? this.#compared.space.read(path) : { values: ids, exact: true };
  }

  /** Returns both decisions, or the path of the next fact that one of them reads. */
  #decide(): Pair<OwnDecision> | string {
    try {
      const [one, other] = this.#rules;
      return [this.#decideBy(one, 0), this.#decideBy(other, 1)];
    } catch (error) {
      if (error instanceof MissingFact) return error.path;
      throw error;
    }
  }

  #decideBy(rules: OwnRules, index: 0 | 1): OwnDecision {
    for (const [path, defaults] of this.#unset) this.#facts.set(path, defaults[index]);
    const entries = rules.ledger.keys.map((parts) => emptyEntry({ key: parts.join(), parts }));
    return decideOwn(rules, { facts: this.#facts.facts, entries });
  }

  #record(verdicts: Pair<OwnDecision>): void {
    const [one, other] = verdicts.map(describeDecision);
    const facts = new Map([...this.#values].filter(([path]) => this.#changed.has(path)));
    if (one === other && verdicts.every(({ answers }) => answers.length > 0)) this.#notePrompted();
    const key = `${one} ${other}`;
    if (one !== other && !this.#found.has(key))
      this.#found.set(key, { verdicts, facts, values: new Map(this.#values), period: this.#period });
  }
  #notePrompted(): void {
    const nowMs = Number(this.#values.get('attempt.nowMs') ?? usualNowMs);
    const ahead = [...this.#values].flatMap(([path, value]) =>
      typeof value === 'number' && value > nowMs && this.#compared.space.isInstant(path) ? [value - nowMs] : [],
    );
    const roomMs = ahead.length === 0 ? 0 : Math.min(...ahead);
    if (this.#prompted !== null && roomMs <= (this.#roomiest?.roomMs ?? 0)) return;
    const facts = new Map(this.#values);
    this.#prompted ??= facts;
    this.#roomiest = { facts, roomMs };
  }
}
