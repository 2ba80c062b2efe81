import { randomSource } from '../../core/random.ts';
import type { ConstraintSolver } from './constraint-solver.ts';
import type { CoveringProblem, Interaction } from './covering-problem.ts';

/** Number of parameter indexes per interaction in the packed lists, equal to the maximum strength. */
export const width = 4;

/** Numbering of all combinations to cover, interaction by interaction; the last parameter varies fastest. */
export class TupleSpace {
  readonly levels: readonly number[];
  /** Number of parameter sets to cover, and number of their combinations. */
  readonly interactions: number;
  readonly total: number;
  /** Number of the first combination of each interaction, followed by the total number. */
  readonly offsets: Int32Array;
  /**
   * Four entries per interaction: parameter indexes, or -1 if there are fewer, and the number that each value step
   * adds.
   */
  readonly places: Int32Array;
  readonly strides: Int32Array;
  /** 1 for each combination that no row can have; `null` if all combinations are possible. */
  readonly impossible: Uint8Array | null;
  readonly impossibleCount: number;
  /** All pairs of parameters; `null` if there are no constraints or only pairs are covered. */
  readonly pairs: TupleSpace | null;

  constructor({ levels, interactions }: Pick<CoveringProblem, 'levels' | 'interactions'>, rules: ConstraintSolver) {
    this.levels = levels;
    this.interactions = interactions.length;
    this.offsets = new Int32Array(interactions.length + 1);
    this.places = new Int32Array(interactions.length * width).fill(-1);
    this.strides = new Int32Array(interactions.length * width);
    let total = 0;
    interactions.forEach((interaction, at) => {
      this.offsets[at] = total;
      let stride = 1;
      for (let index = interaction.length - 1; index >= 0; index -= 1) {
        const place = interaction[index] ?? 0;
        this.places[at * width + index] = place;
        this.strides[at * width + index] = stride;
        stride *= levels[place] ?? 1;
      }
      total += stride;
    });
    this.offsets[interactions.length] = total;
    this.total = total;
    const isOfPairs = rules.restrictions.length === 0 || interactions.every(({ length }) => length === 2);
    this.pairs = isOfPairs ? null : new TupleSpace({ levels, interactions: allPairs(levels.length) }, rules);
    this.impossible = rules.restrictions.length === 0 ? null : new Uint8Array(total);
    this.impossibleCount = this.impossible === null ? 0 : this.#markImpossible(this.impossible, rules);
  }

  /** Returns the interaction of a combination. */
  getInteraction(tuple: number): number {
    let low = 0;
    let high = this.interactions - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.offsets[middle] ?? 0) <= tuple) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Writes the values of a combination into a row and leaves other values unchanged. Returns the interaction. */
  write(tuple: number, row: { [place: number]: number }): number {
    const interaction = this.getInteraction(tuple);
    const rest = tuple - (this.offsets[interaction] ?? 0);
    for (let index = interaction * width; index < interaction * width + width; index += 1) {
      const place = this.places[index] ?? -1;
      if (place < 0) break;
      row[place] = Math.floor(rest / (this.strides[index] ?? 1)) % (this.levels[place] ?? 1);
    }
    return interaction;
  }

  /** Replaces the content of a list with the parameters of an interaction. */
  collectFactors(interaction: number, list: number[]): void {
    list.length = 0;
    for (let index = interaction * width; index < interaction * width + width; index += 1) {
      const place = this.places[index] ?? -1;
      if (place < 0) break;
      list.push(place);
    }
  }

  /** Counts the possible combinations of an interaction. */
  countPossible(interaction: number): number {
    const from = this.offsets[interaction] ?? 0;
    const to = this.offsets[interaction + 1] ?? 0;
    if (this.impossible === null) return to - from;
    let possible = 0;
    for (let tuple = from; tuple < to; tuple += 1) if (this.impossible[tuple] === 0) possible += 1;
    return possible;
  }

  /** Calls `visit` for every possible combination, or for every impossible one if `wanted` is `impossible`. */
  each(visit: (tuple: number) => void, wanted: 'possible' | 'impossible' = 'possible'): void {
    const mark = wanted === 'possible' ? 0 : 1;
    for (let tuple = 0; tuple < this.total; tuple += 1) {
      if ((this.impossible?.[tuple] ?? 0) === mark) visit(tuple);
    }
  }

  /**
   * Solves for a row with each combination; a row that is found proves that its other combinations are also possible.
   */
  #markImpossible(marks: Uint8Array, rules: ConstraintSolver): number {
    const seen = 2;
    const draw = randomSource(1);
    let count = 0;
    for (let interaction = 0; interaction < this.interactions; interaction += 1) {
      const places = [...this.places.subarray(interaction * width, interaction * width + width)];
      if (!places.some((place) => place >= 0 && rules.restricts(place))) continue;
      for (let tuple = this.offsets[interaction] ?? 0; tuple < (this.offsets[interaction + 1] ?? 0); tuple += 1) {
        if (marks[tuple] === seen) continue;
        const part = this.levels.map(() => -1);
        this.write(tuple, part);
        const row = this.#hasImpossiblePair(places, part)
          ? null
          : rules.complete(part, (factor) => Math.floor(draw() * (this.levels[factor] ?? 1)));
        if (row !== null) this.#mark(row, marks, seen);
        else {
          marks[tuple] = 1;
          count += 1;
        }
      }
    }
    for (let tuple = 0; tuple < marks.length; tuple += 1) if (marks[tuple] === seen) marks[tuple] = 0;
    return count;
  }

  /** Returns `true` if two of the values are known to be mutually exclusive. */
  #hasImpossiblePair(places: readonly number[], part: readonly number[]): boolean {
    const { pairs } = this;
    if (pairs === null) return false;
    return places.some((one, at) =>
      places.slice(at + 1).some((other) => {
        if (one < 0 || other < 0) return false;
        const pair = one * this.levels.length - (one * (one + 1)) / 2 + other - one - 1;
        const tuple = (pairs.offsets[pair] ?? 0) + (part[one] ?? 0) * (this.levels[other] ?? 1) + (part[other] ?? 0);
        return pairs.impossible?.[tuple] === 1;
      }),
    );
  }

  #mark(row: readonly number[], marks: Uint8Array, mark: number): void {
    for (let interaction = 0; interaction < this.interactions; interaction += 1) {
      let tuple = this.offsets[interaction] ?? 0;
      for (let at = interaction * width; at < interaction * width + width; at += 1) {
        const place = this.places[at] ?? -1;
        if (place < 0) break;
        tuple += (this.strides[at] ?? 0) * (row[place] ?? 0);
      }
      marks[tuple] = mark;
    }
  }
}

/** Lists all pairs of parameters, in order. */
function allPairs(factors: number): readonly Interaction[] {
  return Array.from({ length: factors }, (_, one) =>
    Array.from({ length: factors - one - 1 }, (__, at): Interaction => [one, one + 1 + at]),
  ).flat();
}
