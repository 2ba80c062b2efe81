import { NudgeLabError } from '../../core/errors.ts';
import type { CoveringProblem, Restriction } from './covering-problem.ts';

/** Values that a search may try for one row before it gives up. */
const triesMax = 200_000;

/** In which order the values of an open factor are tried: the place of the value to begin with. */
export type Preference = (factor: number) => number;

const noPreference: Preference = () => 0;

/** Which rows the restrictions allow, and how a part of a row is completed. */
export class ConstraintSolver {
  readonly restrictions: readonly Restriction[];
  readonly #levels: readonly number[];
  /** The restrictions that look at each factor. */
  readonly #of: readonly (readonly Restriction[])[];
  /** Factors that hang together by restrictions, for each factor; none for a free one. */
  readonly #groups: readonly (readonly number[])[];

  constructor({ levels, restrictions }: Pick<CoveringProblem, 'levels' | 'restrictions'>) {
    this.#levels = levels;
    this.restrictions = restrictions;
    this.#of = levels.map((_, factor) => restrictions.filter(({ factors }) => factors.includes(factor)));
    this.#groups = groupsOf(levels.length, restrictions);
  }

  /** Whether a factor's values are restricted. */
  restricts(factor: number): boolean {
    return (this.#of[factor]?.length ?? 0) > 0;
  }

  /** Whether a row stays allowed when one of its values changes. Takes all cells, where the row begins, factor and value. */
  allowsChange(cells: ArrayLike<number>, base: number, factor: number, value: number): boolean {
    for (const { factors, strides, allowed } of this.#of[factor] ?? []) {
      let at = 0;
      for (let index = 0; index < factors.length; index += 1) {
        const place = factors[index] as number;
        at += (place === factor ? value : (cells[base + place] as number)) * (strides[index] as number);
      }
      if (allowed[at] === 0) return false;
    }
    return true;
  }

  /**
   * A row that has these values and is allowed; values that are open are the preferred ones where that is possible. Returns
   * `null` when there is none.
   */
  complete(part: readonly number[], prefer: Preference = noPreference): number[] | null {
    const row = part.map((value, factor) => (value >= 0 || this.restricts(factor) ? value : prefer(factor)));
    for (const group of new Set(this.#groups)) {
      if (group.length === 0) continue;
      const solved = new GroupSearch(this.#levels, this.#of, group, prefer).solve(row);
      if (!solved) return null;
    }
    return row;
  }
}

/** The factors that each one hangs together with; factors of one group share one list. */
function groupsOf(count: number, restrictions: readonly Restriction[]): readonly (readonly number[])[] {
  const groupOf = Array.from({ length: count }, (_, factor) => factor);
  for (const { factors } of restrictions) {
    const joined = new Set(factors.map((factor) => groupOf[factor]));
    const [first = 0] = factors.map((factor) => groupOf[factor] ?? factor);
    groupOf.forEach((group, factor) => {
      if (joined.has(group)) groupOf[factor] = first;
    });
  }
  const restricted = new Set(restrictions.flatMap(({ factors }) => factors));
  const lists = new Map<number, number[]>();
  for (const factor of restricted) {
    const group = groupOf[factor] ?? factor;
    lists.set(group, [...(lists.get(group) ?? []), factor]);
  }
  for (const list of lists.values()) list.sort((a, b) => a - b);
  const none: readonly number[] = [];
  return groupOf.map((group, factor) => (restricted.has(factor) ? (lists.get(group) ?? none) : none));
}

/** Values that were struck out: factor and value. */
type Struck = readonly (readonly [number, number])[];

/** Finds values for the open factors of one group: the fewest choices first, and what becomes impossible is struck out. */
class GroupSearch {
  readonly #levels: readonly number[];
  readonly #of: readonly (readonly Restriction[])[];
  readonly #group: readonly number[];
  readonly #prefer: Preference;
  readonly #struck = new Map<number, Uint8Array>();
  #tries = 0;

  constructor(
    levels: readonly number[],
    of: readonly (readonly Restriction[])[],
    group: readonly number[],
    prefer: Preference,
  ) {
    this.#levels = levels;
    this.#of = of;
    this.#group = group;
    this.#prefer = prefer;
    for (const factor of group) this.#struck.set(factor, new Uint8Array(levels[factor] ?? 0));
  }

  /** Fills the row's open factors of the group. Returns whether it could; else the row is as it was. */
  solve(row: number[]): boolean {
    const given = this.#group.filter((factor) => (row[factor] ?? -1) >= 0);
    const seen = new Set<Restriction>();
    for (const factor of this.#group) {
      for (const restriction of this.#of[factor] ?? []) {
        if (seen.has(restriction)) continue;
        seen.add(restriction);
        if (this.#strike(restriction, row) === null) return false;
      }
    }
    return given.length === this.#group.length || this.#fill(row);
  }

  #fill(row: number[]): boolean {
    const factor = this.#narrowest(row);
    if (factor === null) return true;
    const levels = this.#levels[factor] ?? 0;
    const first = this.#prefer(factor);
    for (let step = 0; step < levels; step += 1) {
      const value = (first + step) % levels;
      if (this.#struck.get(factor)?.[value] !== 0) continue;
      this.#tries += 1;
      if (this.#tries > triesMax) throw this.#tooEntangled();
      row[factor] = value;
      const struck = this.#strikeAround(factor, row);
      if (struck !== null && this.#fill(row)) return true;
      this.#restore(struck ?? []);
      row[factor] = -1;
    }
    return false;
  }

  #narrowest(row: readonly number[]): number | null {
    let narrowest: number | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const factor of this.#group) {
      if ((row[factor] ?? -1) >= 0) continue;
      let open = 0;
      for (const struck of this.#struck.get(factor) ?? []) if (struck === 0) open += 1;
      if (open < fewest) {
        fewest = open;
        narrowest = factor;
      }
    }
    return narrowest;
  }

  /** Strikes what a new value makes impossible. Returns what was struck, or `null` when the row cannot be. */
  #strikeAround(factor: number, row: readonly number[]): Struck | null {
    const all: (readonly [number, number])[] = [];
    for (const restriction of this.#of[factor] ?? []) {
      const struck = this.#strike(restriction, row);
      if (struck === null) {
        this.#restore(all);
        return null;
      }
      all.push(...struck);
    }
    return all;
  }

  /** A restriction with one open factor strikes its values, and one with none says whether the row can be. */
  #strike({ factors, strides, allowed }: Restriction, row: readonly number[]): Struck | null {
    let at = 0;
    let open = -1;
    for (let index = 0; index < factors.length; index += 1) {
      const value = row[factors[index] ?? 0] ?? -1;
      if (value >= 0) at += value * (strides[index] ?? 0);
      else if (open >= 0) return [];
      else open = index;
    }
    if (open < 0) return allowed[at] === 0 ? null : [];
    const stride = strides[open] ?? 0;
    return this.#strikeValues(factors[open] ?? 0, (value) => allowed[at + value * stride] === 0);
  }

  /** Strikes values of a factor. Returns those, or `null`, with nothing struck, when none would be left. */
  #strikeValues(factor: number, isRefused: (value: number) => boolean): Struck | null {
    const values = this.#struck.get(factor) ?? new Uint8Array();
    const struck: (readonly [number, number])[] = [];
    let left = 0;
    for (let value = 0; value < values.length; value += 1) {
      if (values[value] !== 0) continue;
      if (isRefused(value)) {
        values[value] = 1;
        struck.push([factor, value]);
      } else left += 1;
    }
    if (left > 0) return struck;
    this.#restore(struck);
    return null;
  }

  #restore(struck: Struck): void {
    for (const [factor, value] of struck) {
      const values = this.#struck.get(factor);
      if (values !== undefined) values[value] = 0;
    }
  }

  #tooEntangled(): NudgeLabError {
    const names = [...new Set(this.#group.flatMap((factor) => this.#of[factor] ?? []))].map(({ name }) => name);
    return new NudgeLabError('array-too-large', {
      message: `No row was found within ${triesMax} tries under ${names.join(', ')}; make one constraint of those that hang together, or name fewer factors.`,
    });
  }
}
