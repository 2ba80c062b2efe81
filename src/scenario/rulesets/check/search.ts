import type { Given } from '../../../../machines/own/condition.ts';
import type { FactValue } from '../../../../machines/own/own-ruleset.ts';
import type { FactSpace, Setting } from '../../../../machines/own/representatives.ts';
import { TrialFacts } from '../../../../machines/own/trial-facts.ts';
import { evaluatePartly, type Formula, formulaReads } from './formula.ts';

/** Values of facts by path. Others have their usual values. */
export type Example = ReadonlyMap<string, FactValue>;

/** Result of a search. `open` means that the facts are too many, or not finite. */
export type SearchResult =
  | { readonly kind: 'possible'; readonly example: Example }
  | { readonly kind: 'impossible' | 'open' };

/** Maximum number of evaluations of one search. */
const stepsMax = 4_000;

/** Searches for facts on which formulas hold, over one value of each region. */
export class FactSearch {
  readonly #setting: Setting;
  readonly #space: FactSpace;

  /** Creates a search over the values of a ruleset's facts. */
  constructor(setting: Setting, space: FactSpace) {
    this.#setting = setting;
    this.#space = space;
  }

  /** Returns the usual value of a fact, which is its default. */
  usual(path: string): FactValue {
    return this.#space.read(path).values[0] ?? null;
  }

  /** Returns true if the fact is an instant. */
  isInstant(path: string): boolean {
    return this.#space.isInstant(path);
  }

  /** Returns true if no facts fulfill the formulas together. False also means that it is not known. */
  excludes(...formulas: readonly Formula[]): boolean {
    return this.#components(formulas).some(
      (part) => this.#within(part, Number.POSITIVE_INFINITY).kind === 'impossible',
    );
  }

  /** Returns the facts that fulfill the formulas and differ least from the usual ones, or `null`. */
  findExample(...formulas: readonly Formula[]): Example | null {
    const example = new Map<string, FactValue>();
    for (const part of this.#components(formulas)) {
      const result = this.#solve(part);
      if (result.kind !== 'possible') return null;
      for (const [path, value] of result.example) example.set(path, value);
    }
    return example;
  }

  #solve(formula: Formula): SearchResult {
    const whole = this.#within(formula, Number.POSITIVE_INFINITY);
    if (whole.kind !== 'possible') return whole;
    const variables = new Set(formulaReads(formula)).size;
    for (let changes = 0; changes < variables; changes += 1) {
      const result = this.#within(formula, changes);
      if (result.kind === 'possible') return result;
    }
    return whole;
  }

  /** Searches facts with at most a number of values that are not the usual ones. */
  #within(formula: Formula, changesMax: number): SearchResult {
    // Times of facts are relative to the time of the attempt, which therefore always has a value.
    const { values, exact } = this.#space.read('attempt.nowMs');
    const isTimed = this.#listReads(formula).includes('attempt.nowMs') && values.length > 1;
    const walk = new FactWalk(formula, this.#setting, this.#space, changesMax);
    for (const [index, nowMs] of (isTimed ? values : values.slice(0, 1)).entries()) {
      if (index > 0 && changesMax === 0) break;
      const example = walk.start(nowMs, index > 0 ? 1 : 0);
      if (example === null) continue;
      return {
        kind: 'possible',
        example: new Map([...example].filter(([path]) => isTimed || path !== 'attempt.nowMs')),
      };
    }
    return { kind: walk.isOpen || (isTimed && !exact) ? 'open' : 'impossible' };
  }

  /** Returns the paths that a formula reads. An instant is compared with the time of the attempt. */
  #listReads(formula: Formula): readonly string[] {
    const reads = formulaReads(formula);
    return reads.some((path) => this.#space.isInstant(path)) ? [...reads, 'attempt.nowMs'] : reads;
  }

  /** Divides formulas that have to hold together into groups without a common fact. */
  #components(formulas: readonly Formula[]): readonly Formula[] {
    let groups: readonly { readonly reads: ReadonlySet<string>; readonly parts: readonly Formula[] }[] = [];
    for (const part of formulas.flatMap(flatten)) {
      const reads = this.#listReads(part);
      const joined = groups.filter((group) => reads.some((path) => group.reads.has(path)));
      const merged = {
        reads: new Set([...reads, ...joined.flatMap((group) => [...group.reads])]),
        parts: [...joined.flatMap((group) => group.parts), part],
      };
      groups = [...groups.filter((group) => !joined.includes(group)), merged];
    }
    return groups.map((group) => ({ all: group.parts }));
  }
}

function flatten(formula: Formula): readonly Formula[] {
  return 'all' in formula ? formula.all.flatMap(flatten) : [formula];
}

/** One search, which sets one fact after the other until the formula is decided. */
class FactWalk {
  /** True if the search ended early, or met facts that are not finite. */
  isOpen = false;
  readonly #formula: Formula;
  readonly #space: FactSpace;
  readonly #changesMax: number;
  readonly #trial = new TrialFacts();
  readonly #given: Given;
  readonly #known = new Map<string, FactValue>();
  #steps = 0;

  constructor(formula: Formula, { rules }: Setting, space: FactSpace, changesMax: number) {
    this.#formula = formula;
    this.#space = space;
    this.#changesMax = changesMax;
    this.#given = { facts: this.#trial.facts, rules };
  }

  /** Searches at one time. Returns the facts that fulfill the formula, or `null`. */
  start(nowMs: FactValue, changes: number): Example | null {
    this.#set('attempt.nowMs', nowMs);
    return this.#visit(changes) ? this.#known : null;
  }

  #visit(changes: number): boolean {
    this.#steps += 1;
    const { value, missing } = evaluatePartly(this.#formula, this.#given, this.#known);
    if (value !== null) return value;
    const path = this.#choose(missing);
    if (path === null || this.#steps > stepsMax) {
      this.isOpen = true;
      return false;
    }
    const { values, exact } = this.#space.read(path);
    if (!exact) this.isOpen = true;
    for (const [index, one] of values.entries()) {
      if (index > 0 && changes >= this.#changesMax) break;
      if (this.#steps > stepsMax) {
        this.isOpen = true;
        break;
      }
      this.#set(path, one);
      if (this.#visit(changes + (index > 0 ? 1 : 0))) return true;
    }
    this.#known.delete(path);
    return false;
  }

  #set(path: string, value: FactValue): void {
    this.#known.set(path, value);
    this.#trial.set(path, value);
  }

  /** Returns the path with the fewest values, or `null` if no fact decides the formula. */
  #choose(paths: readonly string[]): string | null {
    const [first, ...others] = new Set(paths);
    if (first === undefined) return null;
    const count = (path: string): number => this.#space.read(path).values.length;
    return others.reduce((best, path) => (count(path) < count(best) ? path : best), first);
  }
}
