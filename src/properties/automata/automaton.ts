import { NudgeLabError } from '../../core/errors.ts';
import type { FormulaNodes } from './formula-nodes.ts';
import { Obligations, type Way } from './obligations.ts';

/** Maximum number of states of an automaton. */
const automatonStatesMax = 4_000;
/** Maximum number of acceptance sets, with those of the fairness conditions. */
const acceptanceMax = 24;

/** Number of the state of a monitor in which the property is refuted. */
export const refuted = -1;

/** Deterministic monitor of a safety property. */
export interface Monitor {
  readonly states: number;
  /** Next state for each state and letter: `targets[state * letters + letter]`; `refuted` if no path can meet it. */
  readonly targets: Int32Array;
}

/** Generalized Büchi automaton whose acceptance sets are sets of transitions. */
export interface BuchiAutomaton {
  readonly states: number;
  /** Offset of the transitions for each state and letter, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** Acceptance sets that contain each transition, as bits. */
  readonly accepts: Uint32Array;
  /** Number of acceptance sets. */
  readonly sets: number;
}

/**
 * Creates the monitor of a formula without strong fixpoints: the set of all ways in which the formula can still hold.
 * The monitor starts in state 0, before the first letter.
 *
 * @param masks - letters: a bit for each predicate that holds
 * @throws NudgeLabError `property-too-large`
 */
export function createMonitor(nodes: FormulaNodes, root: number, masks: readonly number[]): Monitor {
  const obligations = new Obligations(nodes);
  const numbers = new Numbering<readonly (readonly number[])[]>();
  numbers.get(JSON.stringify([[root]]), () => [[root]]);
  const targets: number[] = [];
  // The list grows during the iteration.
  for (const clauses of numbers.items) {
    for (const mask of masks) {
      const ways = clauses.flatMap((clause) => obligations.unfoldAll(clause, mask));
      const next = withoutImplied(ways.map((way) => way.next));
      targets.push(next.length === 0 ? refuted : numbers.get(JSON.stringify(next), () => next));
    }
  }
  return minimizeMonitor({ states: numbers.items.length, targets: Int32Array.from(targets) }, masks.length);
}

/**
 * Creates the automaton that accepts the paths on which a formula holds. It starts in state 0, before the first letter.
 *
 * @param masks - letters: a bit for each predicate that holds
 * @param fair - predicates that hold infinitely often on every accepted path
 * @throws NudgeLabError `property-too-large`
 */
export function createAutomaton(
  nodes: FormulaNodes,
  root: number,
  masks: readonly number[],
  fair: readonly number[],
): BuchiAutomaton {
  const obligations = new Obligations(nodes);
  const numbers = new Numbering<readonly number[]>();
  numbers.get(JSON.stringify([root]), () => [root]);
  const rows: { readonly mask: number; readonly ways: readonly Way[] }[] = [];
  const postponed = new Set<number>();
  for (const clause of numbers.items) {
    for (const mask of masks) {
      const ways = obligations.unfoldAll(clause, mask);
      for (const way of ways) {
        numbers.get(JSON.stringify(way.next), () => way.next);
        for (const node of way.postponed) postponed.add(node);
      }
      rows.push({ mask, ways });
    }
  }
  const strong = [...postponed];
  if (strong.length + fair.length > acceptanceMax) {
    throw new NudgeLabError('property-too-large', {
      message: `A property can have ${acceptanceMax} conditions that recur, with those of fairness; this one has ${strong.length + fair.length}.`,
    });
  }
  const offsets = Uint32Array.from([0, ...rows.map(({ ways }) => ways.length)]);
  for (let at = 1; at < offsets.length; at += 1) offsets[at] = (offsets[at] as number) + (offsets[at - 1] as number);
  const all = rows.flatMap(({ mask, ways }) => ways.map((way) => ({ mask, way })));
  return {
    states: numbers.items.length,
    offsets,
    targets: Uint32Array.from(all, ({ way }) => numbers.get(JSON.stringify(way.next), () => way.next)),
    accepts: Uint32Array.from(all, ({ mask, way }) => {
      let bits = 0;
      for (const [at, node] of strong.entries()) if (!way.postponed.includes(node)) bits |= 1 << at;
      for (const [at, predicate] of fair.entries()) {
        if (((mask >>> predicate) & 1) === 1) bits |= 1 << (strong.length + at);
      }
      return bits;
    }),
    sets: strong.length + fair.length,
  };
}

/** Checks whether a formula has no strong fixpoint, so every path that violates it does so after finitely many steps. */
export function isSafety(nodes: FormulaNodes, root: number): boolean {
  const node = nodes.get(root);
  switch (node.type) {
    case 'constant':
    case 'test':
      return true;
    case 'and':
    case 'or':
      return node.parts.every((part) => isSafety(nodes, part));
    case 'next':
    case 'advance':
      return isSafety(nodes, node.of);
    case 'fixpoint':
      return !node.strong && isSafety(nodes, node.hold) && isSafety(nodes, node.goal);
  }
}

class Numbering<T> {
  readonly items: T[] = [];
  readonly #numbers = new Map<string, number>();

  get(key: string, create: () => T): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.items.length >= automatonStatesMax) {
      throw new NudgeLabError('property-too-large', {
        message: `The automaton of a property has more than ${automatonStatesMax} states; divide it, or use shorter times.`,
      });
    }
    const number = this.items.push(create()) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Removes clauses that ask for more than another one, and sorts them. */
function withoutImplied(clauses: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const unique = [...new Map(clauses.map((clause) => [clause.join(), clause])).values()];
  return unique
    .filter((clause) => !unique.some((other) => other !== clause && other.every((node) => clause.includes(node))))
    .toSorted((a, b) => a.join().localeCompare(b.join()));
}

/** Joins the states of a monitor that no letters distinguish. */
function minimizeMonitor({ states, targets }: Monitor, letters: number): Monitor {
  let classes = new Int32Array(states);
  let count = 1;
  for (;;) {
    const numbers = new Map<string, number>();
    const next = Int32Array.from({ length: states }, (_, state) => {
      const row = [classes[state]];
      for (let letter = 0; letter < letters; letter += 1) {
        const target = targets[state * letters + letter] as number;
        row.push(target === refuted ? refuted : classes[target]);
      }
      const key = row.join();
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, numbers.size);
      return numbers.size - 1;
    });
    classes = next;
    if (numbers.size === count) break;
    count = numbers.size;
  }
  const small = new Int32Array(count * letters);
  for (let state = 0; state < states; state += 1) {
    for (let letter = 0; letter < letters; letter += 1) {
      const target = targets[state * letters + letter] as number;
      small[(classes[state] as number) * letters + letter] = target === refuted ? refuted : (classes[target] as number);
    }
  }
  return { states: count, targets: small };
}
