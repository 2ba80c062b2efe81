import { NudgeLabError } from '../../core/errors.ts';
import type { CoveringProblem, Restriction } from './covering-problem.ts';

/** Maximum number of values that a search tries for one row. */
const triesMax = 200_000;

/** Returns the index of the value to try first for an open parameter. */
export type Preference = (factor: number) => number;

const noPreference: Preference = () => 0;

/** Decides which rows satisfy the constraints, and completes partial rows. */
export class ConstraintSolver {
  readonly restrictions: readonly Restriction[];
  readonly #levels: readonly number[];
  /** Constraints on each parameter. */
  readonly #of: readonly (readonly Restriction[])[];
  /** For each parameter, the parameters that it is connected to through constraints; empty if it is unconstrained. */
  readonly #groups: readonly (readonly number[])[];

  constructor({ levels, restrictions }: Pick<CoveringProblem, 'levels' | 'restrictions'>) {
    this.#levels = levels;
    this.restrictions = restrictions;
    this.#of = levels.map((_, factor) => restrictions.filter(({ factors }) => factors.includes(factor)));
    this.#groups = listGroups(levels.length, restrictions);
  }

  /** Returns `true` if a constraint applies to the parameter. */
  restricts(factor: number): boolean {
    return (this.#of[factor]?.length ?? 0) > 0;
  }

  /** Checks whether a row stays valid after one value changes. `base` is the offset of the row in `cells`. */
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
   * Completes a partial row to a valid one, with the preferred values where possible. Returns `null` if there is no
   * such row.
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

/** Groups parameters that constraints connect; the parameters of one group share a list. */
function listGroups(count: number, restrictions: readonly Restriction[]): readonly (readonly number[])[] {
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

/** Eliminated values, as pairs of parameter and value. */
type Struck = readonly (readonly [number, number])[];

/**
 * Finds values for the open parameters of one group: fewest choices first, eliminating values that become impossible.
 */
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

  /**
   * Fills the open parameters of the group in a row. Returns `false` and leaves the row unchanged if that is
   * impossible.
   */
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

  /**
   * Eliminates the values that a new value rules out. Returns the eliminated values, or `null` if the row is
   * impossible.
   */
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

  /**
   * Applies one constraint. With one open parameter it eliminates values; with none it checks whether the row is
   * possible.
   */
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

  /**
   * Eliminates values of a parameter. Returns them, or `null` if no value would remain, in which case nothing changes.
   */
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
      message: `No row was found in ${triesMax} tries under ${names.join(', ')}; combine related constraints into one, or use fewer parameters.`,
    });
  }
}
