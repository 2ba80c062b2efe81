import { ClassIndex } from '../exploration/class-index.ts';
import type { StateGraph } from '../exploration/state-graph.ts';

/** How many images of states a search for one suffix may look at before it takes what it has. */
const imagesMax = 5_000;

/** Labels after which a state shows that it is none of the others. */
export interface Suffix {
  readonly labels: readonly number[];
  /** States that behave otherwise and look the same until the end of these labels; a suffix of their own tells each apart. */
  readonly missed: readonly number[];
  /** Whether a search of all shorter ones has shown that none tells as many apart. */
  readonly isShortest: boolean;
}

/**
 * Which states of a graph can be told apart by what can be seen, found by refining a partition (Moore): first by what is seen in
 * a state, then again and again by what is seen one label later. States that end in one class look alike after all labels there
 * are, which proves that no test tells them apart; for all others the round in which they parted gives a shortest way to tell.
 * A label that cannot be taken in a state, whose target is below 0, tells it from states in which it can: a test that should take
 * it fails there.
 */
export class Separation {
  /** The class of each state: states of one class cannot be told apart. */
  readonly classOf: Int32Array;
  readonly classes: number;
  readonly #graph: StateGraph;
  /** The classes after each round; those of round k are told apart by k labels. */
  readonly #rounds: readonly Int32Array[];
  readonly #suffixes = new Map<number, readonly Suffix[]>();
  /** States by what is seen of them at once. */
  #alike: ReadonlyMap<number, readonly number[]> | null = null;

  /** Takes the graph and what is seen in each state; equal JSON looks the same. */
  constructor(graph: StateGraph, seen: readonly unknown[]) {
    this.#graph = graph;
    const index = new ClassIndex();
    let classOf: Int32Array = Int32Array.from(seen, (one) => index.numberOf(one));
    let classes = index.values.length;
    const rounds = [classOf];
    for (;;) {
      const [next, count] = refined(graph, classOf);
      if (count === classes) break;
      [classOf, classes] = [next, count];
      rounds.push(next);
    }
    this.#rounds = rounds;
    this.classOf = classOf;
    this.classes = classes;
  }

  /** States that no test tells apart, a list for each class of more than one. */
  get inseparable(): readonly (readonly number[])[] {
    const groups = Map.groupBy(this.classOf.keys(), (state) => this.classOf[state] as number);
    return [...groups.values()].filter(({ length }) => length > 1);
  }

  /**
   * The fewest labels that can be taken from the first of two states, after which the second looks different or cannot take the
   * last of them; `null` when there are none.
   */
  apart(one: number, other: number): readonly number[] | null {
    if (this.classOf[one] === this.classOf[other]) return null;
    const { labels: count, targets } = this.#graph;
    const labels: number[] = [];
    let [left, right] = [one, other];
    let round = this.#rounds.findIndex((classes) => classes[left] !== classes[right]);
    for (; round > 0 && right >= 0; round -= 1) {
      const label = this.#labelApart(left, right, this.#rounds[round - 1] as Int32Array);
      if (label === null) return this.#wayApart(one, other);
      labels.push(label);
      [left, right] = [targets[left * count + label] as number, targets[right * count + label] as number];
    }
    return labels;
  }

  /** The first label that can be taken in one state and leads another one elsewhere, or nowhere. */
  #labelApart(one: number, other: number, classes: Int32Array): number | null {
    const { labels: count, targets } = this.#graph;
    for (let label = 0; label < count; label += 1) {
      const [next, image] = [targets[one * count + label] as number, targets[other * count + label] as number];
      if (next >= 0 && (image < 0 || classes[next] !== classes[image])) return label;
    }
    return null;
  }

  /** The same by trying all labels that can be taken, where those that part the classes cannot. */
  #wayApart(one: number, other: number): readonly number[] | null {
    const { labels: count, targets } = this.#graph;
    const [seen] = this.#rounds as readonly [Int32Array];
    const queue = [{ left: one, right: other, labels: [] as readonly number[] }];
    const known = new Set([one * this.#graph.states + other]);
    for (const { left, right, labels } of queue) {
      for (let label = 0; label < count; label += 1) {
        const [next, image] = [targets[left * count + label] as number, targets[right * count + label] as number];
        if (next < 0) continue;
        if (image < 0 || seen[next] !== seen[image]) return [...labels, label];
        const key = next * this.#graph.states + image;
        if (this.classOf[next] === this.classOf[image] || known.has(key)) continue;
        if (queue.length >= imagesMax) return null;
        known.add(key);
        queue.push({ left: next, right: image, labels: [...labels, label] });
      }
    }
    return null;
  }

  /**
   * Labels after which a state looks unlike every state that behaves otherwise: the fewest there are, where a search of
   * bounded work finds them; else a chain of shortest ones, with what they miss.
   */
  suffixOf(state: number): Suffix {
    return this.suffixesOf(state)[0] as Suffix;
  }

  /**
   * Suffixes which together tell a state from every state that behaves otherwise, the first being that of most. There is more
   * than one where every way of telling makes the state alike to one that it has not been told from.
   */
  suffixesOf(state: number): readonly Suffix[] {
    const known = this.#suffixes.get(state);
    if (known !== undefined) return known;
    const suffixes: Suffix[] = [];
    for (let others = this.#othersOf(state); suffixes.length === 0 || others.length > 0; ) {
      const suffix = this.#search(state, others) ?? this.#chain(state, others);
      suffixes.push(suffix);
      others = suffix.missed;
    }
    this.#suffixes.set(state, suffixes);
    return suffixes;
  }

  /** States that look like one at once and behave otherwise. */
  #othersOf(state: number): readonly number[] {
    const [seen] = this.#rounds as readonly [Int32Array];
    this.#alike ??= Map.groupBy(seen.keys(), (other) => seen[other] as number);
    const alike = this.#alike.get(seen[state] as number) ?? [];
    return alike.filter((other) => this.apart(state, other) !== null);
  }

  /** Breadth first over the images of all others that still look the same; one that has become alike is a dead end. */
  #search(state: number, among: readonly number[]): Suffix | null {
    const { labels: count, targets } = this.#graph;
    const queue = [{ at: state, others: among, labels: [] as readonly number[] }];
    const known = new Set<string>();
    let images = 0;
    for (const { at, others, labels } of queue) {
      if (others.length === 0) return { labels, missed: [], isShortest: true };
      for (let label = 0; label < count; label += 1) {
        const next = targets[at * count + label] as number;
        if (next < 0) continue;
        images += others.length;
        if (images > imagesMax) return null;
        const left = this.#imagesLeft(at, others, label);
        const key = `${next}:${left?.join()}`;
        if (left === null || known.has(key)) continue;
        known.add(key);
        queue.push({ at: next, others: left, labels: [...labels, label] });
      }
    }
    return null;
  }

  /** Where others that still look the same after a label are then; `null` when one has become alike. */
  #imagesLeft(at: number, others: readonly number[], label: number): readonly number[] | null {
    const { labels: count, targets } = this.#graph;
    const [seen] = this.#rounds as readonly [Int32Array];
    const next = targets[at * count + label] as number;
    const left = new Set<number>();
    for (const other of others) {
      const image = targets[other * count + label] as number;
      if (image < 0) continue;
      if (this.classOf[image] === this.classOf[next]) return null;
      if (seen[image] === seen[next]) left.add(image);
    }
    return [...left].toSorted((a, b) => a - b);
  }

  /** One other after the other, each by the fewest labels, the first of each turn being the one by which most are told. */
  #chain(state: number, among: readonly number[]): Suffix {
    let at = state;
    let others = among.map((first) => ({ first, image: first }));
    const missed: number[] = [];
    const labels: number[] = [];
    while (others.length > 0) {
      // What only a label would tell that cannot be taken here has to be told by another chain.
      const { told = [], untold = [] } = Object.groupBy(others, ({ image }) =>
        this.apart(at, image) === null ? 'untold' : 'told',
      );
      missed.push(...untold.map(({ first }) => first));
      others = told;
      if (others.length === 0) break;
      const turns = distinctWays(others.map(({ image }) => this.apart(at, image) ?? []))
        .map((way) => ({ way, ...this.#after(at, others, way) }))
        .toSorted((a, b) => a.missed.length - b.missed.length || a.left.length - b.left.length);
      const [turn] = turns as [(typeof turns)[number]];
      labels.push(...turn.way);
      missed.push(...turn.missed);
      [at, others] = [turn.at, turn.left];
    }
    return { labels, missed: missed.toSorted((a, b) => a - b), isShortest: false };
  }

  /** Where labels lead, which others still look the same then, and which have become alike. */
  #after(start: number, others: readonly { readonly first: number; readonly image: number }[], way: readonly number[]) {
    const { labels: count, targets } = this.#graph;
    const [seen] = this.#rounds as readonly [Int32Array];
    let at = start;
    let left = [...others];
    for (const label of way) {
      at = targets[at * count + label] as number;
      left = left
        .map(({ first, image }) => ({ first, image: targets[image * count + label] as number }))
        .filter(({ image }) => image >= 0 && seen[image] === seen[at]);
    }
    const missed = left.filter(({ image }) => this.classOf[image] === this.classOf[at]).map(({ first }) => first);
    return { at, left: left.filter(({ image }) => this.classOf[image] !== this.classOf[at]), missed };
  }
}

/** How many ways of telling a chain weighs against each other in one turn. */
const waysMax = 12;

function distinctWays(ways: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const shortest = ways.toSorted((a, b) => a.length - b.length);
  return [...new Map(shortest.map((way) => [way.join(), way])).values()].slice(0, waysMax);
}

/** The classes one label later, and how many there are. */
function refined({ states, labels, targets }: StateGraph, classOf: Int32Array): readonly [Int32Array, number] {
  let current = classOf;
  let count = 0;
  for (let label = 0; label < labels; label += 1) {
    const numbers = new Map<number, number>();
    const next = new Int32Array(states);
    for (let state = 0; state < states; state += 1) {
      const target = targets[state * labels + label] as number;
      const key = (current[state] as number) * (states + 1) + (target < 0 ? states : (classOf[target] as number));
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
      }
      next[state] = number;
    }
    current = next;
    count = numbers.size;
  }
  return [current, count];
}
