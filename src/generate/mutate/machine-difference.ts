import type { Step } from '../../../machines/step.ts';
import { createBoundedStepper, getInitialState } from '../../compiled/bounded-step.ts';
import {
  type AnyStateMachine,
  type EventFrom,
  type ExploreOptions,
  limitStatesDefault,
  type SnapshotFrom,
} from '../../compiled/model.ts';
import { createStateKey, keyCharactersMax } from '../../compiled/state-key.ts';

/** View of a state by which two machines are compared. Default: value and context. */
export type StateProjection<M extends AnyStateMachine> = (state: SnapshotFrom<M>) => unknown;

/** Result of comparing two machines by events. */
export type Difference<E> =
  /** Shortest list of events after which the views differ; empty if the initial states already differ. */
  | { readonly kind: 'different'; readonly path: readonly E[] }
  /** No list of events distinguishes the machines. */
  | { readonly kind: 'equivalent'; readonly pairs: number }
  /** The limit of pairs was reached, and no difference was found up to then. */
  | { readonly kind: 'undecided'; readonly pairs: number; readonly depth: number };

/** Default maximum number of state pairs in a comparison. */
const limitPairsDefault = 1_000_000;

/** Options for comparing two machines. */
export interface DifferenceOptions<M extends AnyStateMachine>
  extends Pick<ExploreOptions<M>, 'events' | 'input' | 'from' | 'serialize' | 'normalize'> {
  readonly visible?: StateProjection<M> | undefined;
  readonly limitPairs?: number | undefined;
}

/** State number of a machine that threw; its view differs from all others and never changes. */
const thrown = 0;

/**
 * Machine with states numbered in order of discovery and with cached steps. The first state of each class represents
 * the class, as in exploration.
 */
export class NumberedMachine<M extends AnyStateMachine> {
  readonly first: number;
  readonly #options: DifferenceOptions<M>;
  readonly #events: readonly EventFrom<M>[];
  readonly #step: Step<M>;
  readonly #states: (SnapshotFrom<M> | null)[] = [null];
  readonly #keys = new Map<string, number>();
  readonly #seen: string[] = ['thrown'];
  #characters = 0;
  readonly #targets = new Map<number, number>();

  /** Creates the numbered machine. A machine that throws on start has a view that differs from all others. */
  constructor(machine: M, options: DifferenceOptions<M>) {
    this.#options = options;
    this.#events = options.events;
    this.#step = createBoundedStepper(machine, options.input);
    const { from, input } = options;
    this.first = this.#guarded(() =>
      from === undefined ? getInitialState(machine, input) : (machine.resolveState(from as never) as SnapshotFrom<M>),
    );
  }

  /** Number of characters in the serialized states, a measure of their memory use. */
  get characters(): number {
    return this.#characters;
  }

  /** Returns the view of a state as text. */
  seen(state: number): string {
    return this.#seen[state] ?? '';
  }

  /** Returns the number of the state that an event leads to, by state and event number. */
  target(state: number, event: number): number {
    if (state === thrown) return thrown;
    const key = state * this.#events.length + event;
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    const before = this.#states[state] as SnapshotFrom<M>;
    const sent = this.#events[event] as EventFrom<M>;
    const after = this.#guarded(() => {
      const next = this.#step(before, sent);
      return this.#options.normalize?.(next, sent) ?? next;
    });
    this.#targets.set(key, after);
    return after;
  }

  #guarded(work: () => SnapshotFrom<M>): number {
    try {
      return this.#getNumber(work());
    } catch {
      return thrown;
    }
  }

  #getNumber(state: SnapshotFrom<M>): number {
    const { serialize, visible } = this.#options;
    const plain = () => {
      const { value, context } = state as { readonly value: unknown; readonly context: unknown };
      return JSON.stringify({ value, context });
    };
    const seen = visible === undefined ? plain() : JSON.stringify(visible(state));
    const key = `${(serialize ?? createStateKey)(state)}\n${seen}`;
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#characters += key.length;
    const number = this.#states.push(state) - 1;
    this.#keys.set(key, number);
    this.#seen.push(seen);
    return number;
  }
}

/**
 * Finds a shortest event list that distinguishes a mutant from its original, by a breadth-first search over both in
 * parallel. The mutant is equivalent if the views of every reachable state pair are equal. The original is numbered, so
 * its steps are computed only once for many mutants.
 */
export function shortestDifference<M extends AnyStateMachine>(
  original: NumberedMachine<M>,
  mutant: M,
  options: DifferenceOptions<M>,
): Difference<EventFrom<M>> {
  const { events, limitPairs = limitPairsDefault } = options;
  const changed = new NumberedMachine(mutant, options);
  const charactersMax = keyCharactersMax(limitStatesDefault);
  if (original.seen(original.first) !== changed.seen(changed.first)) return { kind: 'different', path: [] };
  const pairs: Pair[] = [{ one: original.first, other: changed.first, from: null, by: 0, depth: 0 }];
  const met = new Set([toKey(original.first, changed.first)]);
  // The loop also visits the pairs that it appends.
  for (const pair of pairs) {
    for (let event = 0; event < events.length; event += 1) {
      const one = original.target(pair.one, event);
      const other = changed.target(pair.other, event);
      const next: Pair = { one, other, from: pair, by: event, depth: pair.depth + 1 };
      if (original.seen(one) !== changed.seen(other)) return { kind: 'different', path: listEvents(next, events) };
      const key = toKey(one, other);
      if (met.has(key)) continue;
      if (pairs.length >= limitPairs || changed.characters > charactersMax)
        return { kind: 'undecided', pairs: pairs.length, depth: pair.depth };
      met.add(key);
      pairs.push(next);
    }
  }
  return { kind: 'equivalent', pairs: pairs.length };
}

interface Pair {
  readonly one: number;
  readonly other: number;
  readonly from: Pair | null;
  readonly by: number;
  readonly depth: number;
}

/** Maximum number of states, which keeps the product of two state numbers below the largest safe integer. */
const statesMax = 2 ** 26;

function toKey(one: number, other: number): number {
  return one * statesMax + other;
}

function listEvents<E>(last: Pair, events: readonly E[]): readonly E[] {
  const path: E[] = [];
  for (let pair: Pair | null = last; pair?.from != null; pair = pair.from) path.push(events[pair.by] as E);
  return path.reverse();
}
