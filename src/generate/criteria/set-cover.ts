/** Choice that covers some elements at a cost. */
export interface Choice {
  readonly cost: number;
  /** Numbers of the covered elements. */
  readonly covers: readonly number[];
}

/** Choices that cover all elements, with a lower bound on the cost. */
export interface Cover {
  /** Numbers of the selected choices, in ascending order. */
  readonly chosen: readonly number[];
  readonly cost: number;
  /** Lower bound on the cost of any selection of these choices; if it equals the cost, the selection is optimal. */
  readonly lowerBound: number;
}

/**
 * Maximum number of branches before the search returns the best selection so far with the bound of the remaining
 * branches.
 */
const branchesMax = 100_000;

/**
 * Finds the cheapest choices that together cover the elements from 0 to `count`. The choices must cover all elements.
 * The search branches on the element with the fewest choices. It prunes a branch if a bound rules out an improvement:
 * each uncovered element pays what remains of the cost of its cheapest choice.
 */
export function cheapestCover(count: number, choices: readonly Choice[]): Cover {
  const useful = undominated(choices);
  const search = new CoverSearch(
    count,
    useful.map((number) => choices[number] as Choice),
  );
  const { chosen, cost, lowerBound } = search.run();
  const numbers = chosen.map((place) => useful[place] as number).toSorted((a, b) => a - b);
  return { chosen: numbers, cost, lowerBound };
}

/** Lists the choices that no other choice dominates by covering as much at no higher cost. */
function undominated(choices: readonly Choice[]): readonly number[] {
  const sets = choices.map(({ covers }) => new Set(covers));
  const order = [...choices.keys()].toSorted((a, b) => {
    const [one, other] = [choices[a] as Choice, choices[b] as Choice];
    return (sets[b]?.size ?? 0) - (sets[a]?.size ?? 0) || one.cost - other.cost || a - b;
  });
  const kept: number[] = [];
  for (const number of order) {
    const { cost } = choices[number] as Choice;
    const within = (other: number) =>
      (choices[other] as Choice).cost <= cost && (sets[number] as Set<number>).isSubsetOf(sets[other] as Set<number>);
    if (!kept.some(within)) kept.push(number);
  }
  return kept.toSorted((a, b) => a - b);
}

class CoverSearch {
  readonly #count: number;
  readonly #choices: readonly Choice[];
  /** Choices that cover each element. */
  readonly #coveredBy: readonly (readonly number[])[];
  #best: readonly number[] = [];
  #cost = Number.POSITIVE_INFINITY;
  /** Smallest bound of a branch that was not searched. */
  #undone = Number.POSITIVE_INFINITY;
  #branches = 0;

  constructor(count: number, choices: readonly Choice[]) {
    this.#count = count;
    this.#choices = choices;
    const coveredBy: number[][] = Array.from({ length: count }, () => []);
    for (const [number, { covers }] of choices.entries()) for (const thing of covers) coveredBy[thing]?.push(number);
    this.#coveredBy = coveredBy.map((numbers) =>
      numbers.toSorted((a, b) => (choices[a] as Choice).cost - (choices[b] as Choice).cost),
    );
  }

  run(): Cover {
    if (this.#coveredBy.some(({ length }) => length === 0))
      throw new RangeError('An element is not covered by any set.');
    this.#branch([], 0, new Uint8Array(this.#count), new Set());
    return { chosen: this.#best, cost: this.#cost, lowerBound: Math.min(this.#cost, this.#undone) };
  }

  /** Searches one branch. `barred` contains the choices that another branch has tried. */
  #branch(chosen: readonly number[], cost: number, covered: Uint8Array, barred: ReadonlySet<number>): void {
    const bound = cost + this.#computeBound(covered, barred);
    if (bound >= this.#cost) return;
    this.#branches += 1;
    if (this.#branches > branchesMax && this.#cost < Number.POSITIVE_INFINITY) {
      this.#undone = Math.min(this.#undone, bound);
      return;
    }
    const thing = this.#hardest(covered, barred);
    if (thing < 0) {
      this.#best = chosen;
      this.#cost = cost;
      return;
    }
    const worth = (number: number) =>
      (this.#choices[number] as Choice).cost /
      (this.#choices[number] as Choice).covers.filter((one) => covered[one] === 0).length;
    const open = (this.#coveredBy[thing] ?? []).filter((number) => !barred.has(number));
    const tried = new Set(barred);
    for (const number of open.toSorted((a, b) => worth(a) - worth(b) || a - b)) {
      const choice = this.#choices[number] as Choice;
      const more = Uint8Array.from(covered);
      for (const one of choice.covers) more[one] = 1;
      this.#branch([...chosen, number], cost + choice.cost, more, tried);
      tried.add(number);
    }
  }

  /** Returns the uncovered element with the fewest choices; -1 if all are covered. */
  #hardest(covered: Uint8Array, barred: ReadonlySet<number>): number {
    let hardest = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (let thing = 0; thing < this.#count; thing += 1) {
      if (covered[thing] === 1) continue;
      const open = (this.#coveredBy[thing] ?? []).filter((number) => !barred.has(number)).length;
      if (open < fewest) [hardest, fewest] = [thing, open];
    }
    return hardest;
  }

  /**
   * Computes a feasible dual: elements pay in ascending order of their choices. The result is infinite if an element
   * can no longer be covered.
   */
  #computeBound(covered: Uint8Array, barred: ReadonlySet<number>): number {
    const left = this.#choices.map(({ cost }) => cost);
    let sum = 0;
    const things = [...covered.keys()].filter((thing) => covered[thing] === 0);
    for (const thing of things.toSorted((a, b) => this.#size(a) - this.#size(b) || a - b)) {
      let least = Number.POSITIVE_INFINITY;
      for (const number of this.#coveredBy[thing] ?? []) {
        if (!barred.has(number)) least = Math.min(least, left[number] as number);
      }
      if (least === Number.POSITIVE_INFINITY) return least;
      for (const number of this.#coveredBy[thing] ?? []) left[number] = (left[number] as number) - least;
      sum += least;
    }
    // Costs are whole numbers, so a smaller remainder is a floating-point error.
    return Math.ceil(sum - 1e-6);
  }

  #size(thing: number): number {
    return this.#coveredBy[thing]?.length ?? 0;
  }
}
