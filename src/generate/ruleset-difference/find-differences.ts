import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { LazyEvaluator, type LazyStep } from './lazy-evaluator.ts';

/** Smallest facts on which two rulesets give unlike verdicts because of one gate. */
export interface VerdictDifference {
  /** Gate that decides one of the verdicts, or `null` for the outcome of the prompt. */
  readonly gate: string | null;
  /** Verdicts of both rulesets: a reason, or the outcome of a prompt. */
  readonly verdicts: readonly [string, string];
  /** Value index of each axis; 0 is usual. */
  readonly places: readonly number[];
}

/** Differences of two rulesets on one space of facts. */
export interface VerdictDifferences {
  /** Differences in the order of the gates. */
  readonly differences: readonly VerdictDifference[];
  /** Gates for which the search ended early. All others have no difference besides the listed ones. */
  readonly undecided: readonly (string | null)[];
}

/** Maximum number of steps of the search at one gate. */
const visitsMax = 50_000;

/**
 * Finds, for each gate with unlike results, the facts with the fewest unusual values on which the verdicts differ. The
 * search covers the whole space: a gate without a difference is proven to have none, unless it is undecided.
 *
 * @param space - facts to compare on
 * @param one - first ruleset
 * @param other - second ruleset
 */
export function findDifferences(space: FactSpace, one: Ruleset, other: Ruleset): VerdictDifferences {
  return new RulesetComparison(space, one, other).list();
}

class RulesetComparison {
  readonly #one: LazyEvaluator;
  readonly #other: LazyEvaluator;
  readonly #space: FactSpace;
  readonly #places: number[];
  readonly #assigned: boolean[];
  /** True if the rulesets have the same data besides their gates and their derived facts. */
  readonly #hasSameData: boolean;
  #changesMax = 0;
  #visits = 0;
  /** True if the search left out a value because of the maximum number of changes. */
  #cut = false;

  constructor(space: FactSpace, one: Ruleset, other: Ruleset) {
    this.#space = space;
    this.#one = new LazyEvaluator(space, one);
    this.#other = new LazyEvaluator(space, other);
    this.#places = space.axes.map(() => 0);
    this.#assigned = space.axes.map(() => false);
    this.#hasSameData = canonicalJson(sharedData(one)) === canonicalJson(sharedData(other));
  }

  list(): VerdictDifferences {
    const results = this.#listAffected().map((id) => ({ id, result: this.#findSmallest(id) }));
    return {
      differences: results.flatMap(({ result }) => (result === null || result === 'undecided' ? [] : [result])),
      undecided: results.flatMap(({ id, result }) => (result === 'undecided' ? [id] : [])),
    };
  }

  /** Returns the gates whose results may differ, in the order of evaluation. */
  #listAffected(): readonly (string | null)[] {
    const ids = [...this.#one.steps, ...this.#other.steps].map(({ id }) => id);
    const unique = [...new Set(ids)].toSorted((a, b) => this.#position(a) - this.#position(b));
    return unique.filter((id) => this.#isAffected(id));
  }

  #position(id: string | null): number {
    const positions = [this.#one, this.#other].map(({ steps }) => steps.findIndex((step) => step.id === id));
    return Math.max(...positions);
  }

  #isAffected(id: string | null): boolean {
    const [a, b] = [this.#one, this.#other].map(({ steps }) => steps.find((step) => step.id === id));
    if (a === undefined || b === undefined) return true;
    if (this.#isMoved(id) || [...a.reads, ...b.reads].some((path) => this.#derivesOtherwise(path))) return true;
    if (this.#hasSameData && this.#dataFor(this.#one, id) === this.#dataFor(this.#other, id)) return false;
    // A gate whose function takes no ruleset depends on it through derived facts and its position alone.
    return a.rule !== b.rule || a.rule === null || a.rule.evaluate.length > 1;
  }

  /** Returns what a ruleset says about one gate alone, or about what prompts demand. */
  #dataFor({ ruleset: { extension } }: LazyEvaluator, id: string | null): string {
    if (extension === undefined) return '';
    const { skips, gates, requirement } = extension;
    const conditions = id === null ? [requirement.required, requirement.blocked] : [skips[id], gates[id]];
    return describeConditions(conditions, extension);
  }

  #isMoved(id: string | null): boolean {
    const [one, other] = [this.#one, this.#other].map(({ steps }) => steps.map((step) => step.id));
    if (one?.includes(id) !== true || other?.includes(id) !== true) return false;
    const before = (ids: readonly (string | null)[], common: readonly (string | null)[]): string =>
      canonicalJson(ids.slice(0, ids.indexOf(id)).filter((step) => common.includes(step)));
    return before(one, other) !== before(other, one);
  }

  #derivesOtherwise(path: string): boolean {
    const [name = '', ...rest] = path.split('.');
    const [one, other] = [this.#one, this.#other].map((evaluator) => evaluator.derivedValues(name));
    if (one == null || other == null) return false;
    const part = (value: unknown): string => {
      let current = value instanceof Set ? [...value].sort() : value;
      for (const key of rest) current = (current as Readonly<Record<string, unknown>> | null)?.[key];
      return JSON.stringify(current) ?? '';
    };
    return Array.from({ length: one.size }, (_, row) => row).some((row) => part(one.at(row)) !== part(other.at(row)));
  }

  /** Searches with one more unusual value each time, until there is a difference or no value was left out. */
  #findSmallest(id: string | null): VerdictDifference | null | 'undecided' {
    this.#visits = 0;
    for (let changes = 0; ; changes += 1) {
      this.#cut = false;
      const found = this.#find(id, changes);
      if (found !== null) return found;
      if (this.#visits > visitsMax) return 'undecided';
      if (!this.#cut) return null;
    }
  }

  #find(id: string | null, changesMax: number): VerdictDifference | null {
    this.#changesMax = changesMax;
    this.#places.fill(0);
    this.#assigned.fill(false);
    return this.#visit(id, 0);
  }

  /**
   * Sets one axis after the other until both verdicts are decided: first those of the gate, whose results have to differ,
   * then those of the gates before it, which must not stop both alike.
   */
  #visit(id: string | null, changes: number): VerdictDifference | null {
    this.#visits += 1;
    const state = this.#read(id);
    if (state === 'alike') return null;
    if (typeof state !== 'number') return state;
    this.#assigned[state] = true;
    const size = this.#space.axes[state]?.values.length ?? 1;
    for (let value = 0; value < size; value += 1) {
      if (this.#visits > visitsMax) break;
      if (value > 0 && changes >= this.#changesMax) {
        this.#cut = true;
        break;
      }
      this.#places[state] = value;
      const found = this.#visit(id, changes + (value > 0 ? 1 : 0));
      if (found !== null) return found;
    }
    this.#places[state] = 0;
    this.#assigned[state] = false;
    return null;
  }

  /** Returns the axis to set next, the difference, or that the verdicts are alike or decided elsewhere. */
  #read(id: string | null): number | 'alike' | VerdictDifference {
    const own = [this.#one, this.#other].map(({ steps }) => steps.find((step) => step.id === id));
    for (const step of own) {
      const open = step === undefined ? undefined : this.#open(step);
      if (open !== undefined) return open;
    }
    if (this.#isMoved(id) === false && this.#result(own[0]) === this.#result(own[1])) return 'alike';
    const verdicts: { readonly id: string | null; readonly text: string }[] = [];
    for (const { steps } of [this.#one, this.#other]) {
      const verdict = this.#decide(steps);
      if (typeof verdict === 'number') return verdict;
      verdicts.push(verdict);
    }
    const [first, second] = verdicts;
    if (first === undefined || second === undefined || first.text === second.text) return 'alike';
    if (first.id !== id && second.id !== id) return 'alike';
    return { gate: id, verdicts: [first.text, second.text], places: [...this.#places] };
  }

  /** Returns the first step that decides, or the axis that has to be set to know it. */
  #decide(steps: readonly LazyStep[]): number | { readonly id: string | null; readonly text: string } {
    for (const step of steps) {
      const open = this.#open(step);
      if (open !== undefined) return open;
      const text = step.at(this.#places);
      if (text !== null) return { id: step.id, text };
    }
    throw new RangeError('The outcome of the prompt decides a verdict that no gate stops.');
  }

  #result(step: LazyStep | undefined): string | null {
    return step?.at(this.#places) ?? null;
  }

  #open({ axes }: LazyStep): number | undefined {
    return axes.find((axis) => this.#assigned[axis] === false);
  }
}

/** Returns the data of a ruleset that any gate may read. */
function sharedData({ matrix, profiles, providerManaged, limits, extension }: Ruleset): object {
  const types = extension === undefined ? '' : describeConditions([extension.allPasskeyTypes], extension);
  return { matrix, profiles, providerManaged, limits, types };
}

/** Describes conditions with the definitions of the facts that they can read, or returns an empty text if there are none. */
function describeConditions(
  conditions: readonly unknown[],
  { facts, settings, derived }: NonNullable<Ruleset['extension']>,
): string {
  const stated = conditions.map((condition) => condition ?? null);
  return stated.every((condition) => condition === null) ? '' : canonicalJson([stated, facts, settings, derived]);
}
