import { NudgeLabError } from '../../core/errors.ts';
import type { FormulaNodes } from './formula-nodes.ts';

/** One way to meet a formula at a position: what the rest of the path then has to meet. */
export interface Way {
  /** Nodes that hold from the next position on, sorted. */
  readonly next: readonly number[];
  /** Strong fixpoints that this way postpones. */
  readonly postponed: readonly number[];
}

/** Maximum number of ways to meet a formula at one position. */
const waysMax = 4_096;

const done: readonly Way[] = [{ next: [], postponed: [] }];
const impossible: readonly Way[] = [];

/** Unfolds formulas by one position. `mask` has a bit for each predicate that holds there. */
export class Obligations {
  readonly #nodes: FormulaNodes;
  readonly #known = new Map<string, readonly Way[]>();

  /** Creates the obligations over the nodes of a formula. */
  constructor(nodes: FormulaNodes) {
    this.#nodes = nodes;
  }

  /**
   * Lists the ways to meet all of some nodes. Empty if they cannot be met.
   * @throws NudgeLabError `property-too-large`
   */
  unfoldAll(numbers: readonly number[], mask: number): readonly Way[] {
    const ways = numbers.reduce((all, number) => this.#both(all, this.#unfold(number, mask)), done);
    return ways;
  }

  #unfold(number: number, mask: number): readonly Way[] {
    const key = `${number} ${mask}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const ways = this.#unfoldAgain(number, mask);
    this.#known.set(key, ways);
    return ways;
  }

  #unfoldAgain(number: number, mask: number): readonly Way[] {
    const node = this.#nodes.get(number);
    switch (node.type) {
      case 'constant':
        return node.value ? done : impossible;
      case 'test':
        return holds(mask, node.predicate) !== node.negated ? done : impossible;
      case 'and':
        return this.unfoldAll(node.parts, mask);
      case 'or':
        return this.#least(node.parts.flatMap((part) => this.#unfold(part, mask)));
      case 'next':
        return [this.#way([node.of], [])];
      case 'fixpoint':
        return this.#unfoldFixpoint(number, mask, false);
      case 'advance':
        return this.#unfoldAdvance(node.of, mask);
    }
  }

  #unfoldAdvance(of: number, mask: number): readonly Way[] {
    const node = this.#nodes.get(of);
    if (node.type !== 'fixpoint' || node.counter === null) return this.#unfold(of, mask);
    if (holds(mask, node.counter.by)) return this.#unfold(this.#nodes.counted(of), mask);
    return this.#unfoldFixpoint(of, mask, node.strong);
  }

  /** @param waits - `true` if the fixpoint is older than this position, and its clock did not advance */
  #unfoldFixpoint(number: number, mask: number, waits: boolean): readonly Way[] {
    const node = this.#nodes.get(number);
    if (node.type !== 'fixpoint') return impossible;
    const { hold, goal, strong, counter } = node;
    const reached = this.#unfold(goal, mask);
    if (isMet(reached)) return done;
    const kept = this.#unfold(hold, mask);
    return this.#least([...reached, ...this.#both(kept, [this.#carry(number, mask, strong, counter, waits)].flat())]);
  }

  #carry(
    number: number,
    mask: number,
    strong: boolean,
    counter: { readonly by: number; readonly at: 'here' | 'there' } | null,
    waits: boolean,
  ): readonly Way[] {
    if (counter === null) return [this.#way([number], strong ? [number] : [])];
    if (counter.at === 'there') return [this.#way([this.#nodes.advance(number)], waits ? [number] : [])];
    if (!holds(mask, counter.by)) return [this.#way([number], strong ? [number] : [])];
    const left = this.#nodes.counted(number);
    if (left === this.#nodes.false) return impossible;
    return left === this.#nodes.true ? done : [this.#way([left], [])];
  }

  #both(one: readonly Way[], other: readonly Way[]): readonly Way[] {
    if (one === done) return other;
    if (other === done) return one;
    const all = one.flatMap((a) =>
      other.map((b) => this.#way([...a.next, ...b.next], [...a.postponed, ...b.postponed])),
    );
    return this.#least(all);
  }

  #way(next: readonly number[], postponed: readonly number[]): Way {
    return { next: this.#strongest(next), postponed: sortUnique(postponed) };
  }

  /** Removes nodes that others imply: of counters that differ only in what is left, the strictest one remains. */
  #strongest(numbers: readonly number[]): readonly number[] {
    const unique = sortUnique(
      numbers.flatMap((number) => {
        const node = this.#nodes.get(number);
        return node.type === 'and' ? node.parts : [number];
      }),
    ).filter((number) => number !== this.#nodes.true);
    const best = new Map<string, { readonly number: number; readonly left: number }>();
    const plain: number[] = [];
    for (const number of unique) {
      const family = this.#getFamily(number);
      if (family === null) {
        plain.push(number);
        continue;
      }
      const known = best.get(family.key);
      const stricter = known === undefined || (family.end ? family.left > known.left : family.left < known.left);
      if (stricter) best.set(family.key, { number, left: family.left });
    }
    return sortUnique([...plain, ...[...best.values()].map(({ number }) => number)]);
  }

  #getFamily(number: number): { readonly key: string; readonly left: number; readonly end: boolean } | null {
    const outer = this.#nodes.get(number);
    const node = outer.type === 'advance' ? this.#nodes.get(outer.of) : outer;
    if (node.type !== 'fixpoint' || node.counter === null) return null;
    const { hold, goal, strong, counter } = node;
    const key = [outer.type, hold, goal, strong, counter.by, counter.at, counter.end].join(' ');
    return { key, left: counter.left, end: counter.end };
  }

  /** Removes ways that ask for more than another one. */
  #least(ways: readonly Way[]): readonly Way[] {
    const unique = [...new Map(ways.map((way) => [`${way.next} | ${way.postponed}`, way])).values()];
    if (unique.length > waysMax) {
      throw new NudgeLabError('property-too-large', {
        message: `A formula has more than ${waysMax} ways to hold at one position; divide it into several properties.`,
      });
    }
    const least = unique.filter(
      (way, at) =>
        !unique.some((other, place) => place !== at && asksLess(other, way) && (place < at || !asksLess(way, other))),
    );
    return least.length === 1 && isMet(least) ? done : least;
  }
}

function isMet(ways: readonly Way[]): boolean {
  return ways.some(({ next, postponed }) => next.length === 0 && postponed.length === 0);
}

function asksLess(one: Way, other: Way): boolean {
  return (
    one.next.every((number) => other.next.includes(number)) &&
    one.postponed.every((number) => other.postponed.includes(number))
  );
}

/** Checks whether the bit of a predicate is set. */
function holds(mask: number, predicate: number): boolean {
  return ((mask >>> predicate) & 1) === 1;
}

function sortUnique(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
