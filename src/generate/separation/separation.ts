import { ClassIndex } from '../exploration/class-index.ts';
import type { StateGraph } from '../exploration/state-graph.ts';

/** Maximum number of state images that the search for one distinguishing sequence examines. */
const imagesMax = 5_000;

/** Labels after which a state is distinguished from others. */
export interface Suffix {
  readonly labels: readonly number[];
  /**
   * States that behave differently but look the same up to the end of these labels; separate sequences distinguish
   * them.
   */
  readonly missed: readonly number[];
  /** `true` if an exhaustive search of all shorter sequences found none that distinguishes as many states. */
  readonly isShortest: boolean;
}

/**
 * Finds the distinguishable states of a graph by partition refinement (Moore): first by the observation in a state,
 * then repeatedly by the observation one label later. States in the same final class look alike after all label
 * sequences, which proves that no test distinguishes them. For all others, the round in which they split gives a
 * shortest distinguishing sequence. A label with a negative target cannot be taken. It distinguishes a state from
 * states in which it can be taken, because a test with that label fails there.
 */
export class Separation {
  /** Class of each state; states of one class are indistinguishable. */
  readonly classOf: Int32Array;
  readonly classes: number;
  readonly #graph: StateGraph;
  /** Classes after each round; the classes of round k are distinguished by k labels. */
  readonly #rounds: readonly Int32Array[];
  readonly #suffixes = new Map<number, readonly Suffix[]>();
  /** States by their immediate observation. */
  #alike: ReadonlyMap<number, readonly number[]> | null = null;

  /** Computes the classes of a graph. `seen` has the observation of each state; equal JSON looks the same. */
  constructor(graph: StateGraph, seen: readonly unknown[]) {
    this.#graph = graph;
    const index = new ClassIndex();
    let classOf: Int32Array = Int32Array.from(seen, (one) => index.getNumber(one));
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

  /** Lists the indistinguishable states, one list per class with more than one state. */
  get inseparable(): readonly (readonly number[])[] {
    const groups = Map.groupBy(this.classOf.keys(), (state) => this.classOf[state] as number);
    return [...groups.values()].filter(({ length }) => length > 1);
  }

  /**
   * Returns the fewest labels that the first state can take and after which the second one looks different or cannot
   * take the last label; `null` if there are none.
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

  /** Returns the first label that one state can take and that leads the other state to another class or nowhere. */
  #labelApart(one: number, other: number, classes: Int32Array): number | null {
    const { labels: count, targets } = this.#graph;
    for (let label = 0; label < count; label += 1) {
      const [next, image] = [targets[one * count + label] as number, targets[other * count + label] as number];
      if (next >= 0 && (image < 0 || classes[next] !== classes[image])) return label;
    }
    return null;
  }

  /** Finds the labels by trying all possible ones, if the labels that split the classes cannot be taken. */
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
   * Finds labels after which a state looks different from every state that behaves differently. A search with limited
   * work finds the fewest labels. If it fails, the result is a chain of shortest sequences with the states that they
   * miss.
   */
  getSuffix(state: number): Suffix {
    return this.listSuffixes(state)[0] as Suffix;
  }

  /**
   * Finds sequences that together distinguish a state from every state that behaves differently, the most effective one
   * first. Several are needed if every sequence merges the state with one that it has not yet been distinguished from.
   */
  listSuffixes(state: number): readonly Suffix[] {
    const known = this.#suffixes.get(state);
    if (known !== undefined) return known;
    const suffixes: Suffix[] = [];
    for (let others = this.#listOthers(state); suffixes.length === 0 || others.length > 0; ) {
      const suffix = this.#search(state, others) ?? this.#chain(state, others);
      suffixes.push(suffix);
      others = suffix.missed;
    }
    this.#suffixes.set(state, suffixes);
    return suffixes;
  }

  /** Lists the states with the same immediate observation as a state and different behavior. */
  #listOthers(state: number): readonly number[] {
    const [seen] = this.#rounds as readonly [Int32Array];
    this.#alike ??= Map.groupBy(seen.keys(), (other) => seen[other] as number);
    const alike = this.#alike.get(seen[state] as number) ?? [];
    return alike.filter((other) => this.apart(state, other) !== null);
  }

  /**
   * Searches breadth-first over the images of all remaining states; a path on which an image merges with the state's
   * own is pruned.
   */
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

  /**
   * Returns the images of the remaining states after a label; `null` if one of them has merged with the state's own.
   */
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

  /**
   * Distinguishes the remaining states one by one with the fewest labels, and starts each round with the state whose
   * labels distinguish most.
   */
  #chain(state: number, among: readonly number[]): Suffix {
    let at = state;
    let others = among.map((first) => ({ first, image: first }));
    const missed: number[] = [];
    const labels: number[] = [];
    while (others.length > 0) {
      // A state that only an impossible label distinguishes needs a separate chain.
      const { apart = [], alike = [] } = Object.groupBy(others, ({ image }) =>
        this.apart(at, image) === null ? 'alike' : 'apart',
      );
      missed.push(...alike.map(({ first }) => first));
      others = apart;
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

  /** Follows labels and returns the end state, the states that still look the same, and those that have merged. */
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

/** Maximum number of distinguishing paths that a chain compares per round. */
const waysMax = 12;

function distinctWays(ways: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const shortest = ways.toSorted((a, b) => a.length - b.length);
  return [...new Map(shortest.map((way) => [way.join(), way])).values()].slice(0, waysMax);
}

/** Refines the classes by one label and returns them with their number. */
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
