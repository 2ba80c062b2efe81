import type { Changes, ComparedVariant, VerdictSummary } from '../../contract/comparison.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { sideCodesMax, type VerdictCodes } from './variant-evaluator.ts';

/** Prompt levels: none, skippable, required. The change of an attempt is a pair of levels. */
/** Levels of outcomes. A blocked user is not prompted. */
const levels = { none: 0, blocked: 0, skippable: 1, required: 2 } as const;
const levelCount = 3;
const pairCount = levelCount * levelCount;

/** Counts of one category by level pair: first the certain ones, then the assumed ones. */
type PairCounts = Float64Array;

/** Maximum number of groups with separate counts; attempts of other groups count only in the totals. */
const groupsMax = 200;

const dayMs = 86_400_000;

/** Attempt with the values to count. */
export interface CountedAttempt {
  readonly before: number;
  readonly after: number;
  readonly certain: boolean;
  readonly platform: string;
  readonly atMs: number;
  readonly groups: readonly string[];
}

/** Counts the attempts of one variant. */
export class ComparisonTally {
  readonly #codes: VerdictCodes;
  /** Cached level of each verdict code, which every attempt needs; -1 if it is not computed yet. */
  readonly #levels = new Int8Array(sideCodesMax).fill(-1);
  readonly #sides = new Float64Array(sideCodesMax * sideCodesMax * 2);
  readonly #platforms = new Map<string, PairCounts>();
  readonly #groups = new Map<string, PairCounts>();
  readonly #days = new Map<number, PairCounts>();
  readonly users = { all: 0, changed: 0, newlyPrompted: 0, noLongerPrompted: 0, newlyRequired: 0 };
  readonly answers = { applied: 0, inapplicable: 0, assumed: 0 };

  constructor(codes: VerdictCodes) {
    this.#codes = codes;
  }

  /** Counts an attempt. */
  add({ before, after, certain, platform, atMs, groups }: CountedAttempt): void {
    increase(this.#sides, (before * sideCodesMax + after) * 2 + (certain ? 0 : 1), 1);
    const place = this.#pair(before, after) * 2 + (certain ? 0 : 1);
    bump(this.#platforms, platform, place);
    bump(this.#days, Math.floor(atMs / dayMs), place);
    for (const group of groups) {
      if (this.#groups.has(group) || this.#groups.size < groupsMax) bump(this.#groups, group, place);
    }
  }

  /** Counts a user by the changes in all of the user's attempts, as `userChange` bits. */
  addUser(bits: number): void {
    this.users.all += 1;
    if ((bits & userChange.changed) !== 0) this.users.changed += 1;
    if ((bits & userChange.newlyPrompted) !== 0) this.users.newlyPrompted += 1;
    if ((bits & userChange.noLongerPrompted) !== 0) this.users.noLongerPrompted += 1;
    if ((bits & userChange.newlyRequired) !== 0) this.users.newlyRequired += 1;
  }

  /** Returns the change of an attempt as `userChange` bits. */
  getChange(before: number, after: number): number {
    if (before === after) return 0;
    const [from, to] = [this.#level(before), this.#level(after)];
    return (
      userChange.changed |
      (from === 0 && to > 0 ? userChange.newlyPrompted : 0) |
      (from > 0 && to === 0 ? userChange.noLongerPrompted : 0) |
      (from < 2 && to === 2 ? userChange.newlyRequired : 0)
    );
  }

  /** Returns all counts. */
  report(): Pick<ComparedVariant, 'totals' | 'users' | 'actions' | 'byRule' | 'byPlatform' | 'byGroup' | 'byDay'> {
    const total = new Float64Array(pairCount * 2);
    for (const counts of this.#platforms.values()) {
      for (const [place, count] of counts.entries()) increase(total, place, count);
    }
    return {
      totals: toSplit(total),
      users: this.users,
      actions: this.answers,
      byRule: this.#byRule(),
      byPlatform: sorted(this.#platforms, String),
      byGroup: sorted(this.#groups, String),
      byDay: sorted(this.#days, (day) => toInstant(day * dayMs).slice(0, 'YYYY-MM-DD'.length)),
    };
  }

  /** Counts the prompted attempts under the variant, and the rules that stopped the others, most frequent first. */
  stopsAfter(): { readonly prompted: number; readonly stops: readonly (readonly [VerdictSummary, number])[] } {
    const counts = new Map<number, number>();
    let prompted = 0;
    this.#eachSide((_before, after, certain, assumed) => {
      if (this.#level(after) > 0) prompted += certain + assumed;
      else counts.set(after, (counts.get(after) ?? 0) + certain + assumed);
    });
    const stops = [...counts].map(([code, count]) => [this.#codes.side(code), count] as const);
    return { prompted, stops: stops.toSorted(([, a], [, b]) => b - a) };
  }

  #byRule(): ComparedVariant['byRule'] {
    const rows: { before: VerdictSummary; after: VerdictSummary; certain: number; assumed: number }[] = [];
    this.#eachSide((before, after, certain, assumed) => {
      rows.push({ before: this.#codes.side(before), after: this.#codes.side(after), certain, assumed });
    });
    return rows.toSorted((a, b) => b.certain + b.assumed - a.certain - a.assumed);
  }

  #eachSide(see: (before: number, after: number, certain: number, assumed: number) => void): void {
    const { length } = this.#codes.sides;
    for (let before = 0; before < length; before += 1) {
      for (let after = 0; after < length; after += 1) {
        const place = (before * sideCodesMax + after) * 2;
        const [certain = 0, assumed = 0] = this.#sides.subarray(place, place + 2);
        if (certain + assumed > 0) see(before, after, certain, assumed);
      }
    }
  }

  #pair(before: number, after: number): number {
    return this.#level(before) * levelCount + this.#level(after);
  }

  #level(code: number): number {
    const known = this.#levels[code] as number;
    if (known >= 0) return known;
    const level = levels[this.#codes.side(code).outcome];
    this.#levels[code] = level;
    return level;
  }
}

/** Bits for the changes of a user. */
const userChange = { changed: 1, newlyPrompted: 2, noLongerPrompted: 4, newlyRequired: 8 } as const;

function bump<K>(counts: Map<K, PairCounts>, key: K, place: number): void {
  let held = counts.get(key);
  if (held === undefined) {
    held = new Float64Array(pairCount * 2);
    counts.set(key, held);
  }
  increase(held, place, 1);
}

function sorted<K extends string | number>(
  counts: ReadonlyMap<K, PairCounts>,
  name: (key: K) => string,
): Record<string, ReturnType<typeof toSplit>> {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(rows.map(([key, held]) => [name(key), toSplit(held)]));
}

function toSplit(counts: PairCounts): { certain: Changes; assumed: Changes } {
  return { certain: countChanges(counts, 0), assumed: countChanges(counts, 1) };
}

function countChanges(counts: PairCounts, side: 0 | 1): Changes {
  const sum = (holds: (from: number, to: number) => boolean): number => {
    let total = 0;
    for (let from = 0; from < levelCount; from += 1) {
      for (let to = 0; to < levelCount; to += 1) {
        if (holds(from, to)) total += counts[(from * levelCount + to) * 2 + side] ?? 0;
      }
    }
    return total;
  };
  return {
    attempts: sum(() => true),
    promptedInBaseline: sum((from) => from > 0),
    promptedInVariant: sum((_, to) => to > 0),
    requiredBefore: sum((from) => from === 2),
    requiredAfter: sum((_, to) => to === 2),
    newlyPrompted: sum((from, to) => from === 0 && to > 0),
    noLongerPrompted: sum((from, to) => from > 0 && to === 0),
    newlyRequired: sum((from, to) => from < 2 && to === 2),
    noLongerRequired: sum((from, to) => from === 2 && to < 2),
  };
}

function increase(counts: Float64Array, place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}
