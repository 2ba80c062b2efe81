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

/** What tells two machines apart for anyone who looks on; value and context where nothing else is said. */
export type StateProjection<M extends AnyStateMachine> = (state: SnapshotFrom<M>) => unknown;

/** Whether two machines can be told apart by events, and by which. */
export type Difference<E> =
  /** A shortest list of events after which they do not look alike; none where they differ from the beginning. */
  | { readonly kind: 'different'; readonly path: readonly E[] }
  /** No list of events tells them apart. */
  | { readonly kind: 'equivalent'; readonly pairs: number }
  /** More pairs than may be were reached, and up to there nothing told them apart. */
  | { readonly kind: 'undecided'; readonly pairs: number; readonly depth: number };

/** Pairs of states that a comparison takes on before it gives up. */
const limitPairsDefault = 1_000_000;

/** How two machines are compared. */
export interface DifferenceOptions<M extends AnyStateMachine>
  extends Pick<ExploreOptions<M>, 'events' | 'input' | 'from' | 'serialize' | 'normalize'> {
  readonly visible?: StateProjection<M> | undefined;
  readonly limitPairs?: number | undefined;
}

/** What stands for a machine that threw: it looks like nothing else, and stays so. */
const thrown = 0;

/**
 * A machine whose states are numbered as they are met and whose steps are remembered. A class of states is stood for by the
 * first one met, as when exploring.
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

  /** Takes the machine and how it is compared. A machine that throws as it begins looks like nothing else. */
  constructor(machine: M, options: DifferenceOptions<M>) {
    this.#options = options;
    this.#events = options.events;
    this.#step = createBoundedStepper(machine, options.input);
    const { from, input } = options;
    this.first = this.#guarded(() =>
      from === undefined ? getInitialState(machine, input) : (machine.resolveState(from as never) as SnapshotFrom<M>),
    );
  }

  /** Characters of what tells its states apart, which is how much memory they take. */
  get characters(): number {
    return this.#characters;
  }

  /** What is seen of a state, as text. */
  seen(state: number): string {
    return this.#seen[state] ?? '';
  }

  /** The number of the state that an event leads to. Takes the numbers of state and event. */
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
      return this.#numberOf(work());
    } catch {
      return thrown;
    }
  }

  #numberOf(state: SnapshotFrom<M>): number {
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
 * Whether a mutant can be told from its original, decided by walking both side by side, breadth first: the list of events is a
 * shortest one, and equivalent means that every pair of states that can be reached looks alike. Takes the original, numbered,
 * so that it is walked once for many mutants, the mutant and how they are compared.
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
  const met = new Set([keyOf(original.first, changed.first)]);
  // The list grows while it is walked.
  for (const pair of pairs) {
    for (let event = 0; event < events.length; event += 1) {
      const one = original.target(pair.one, event);
      const other = changed.target(pair.other, event);
      const next: Pair = { one, other, from: pair, by: event, depth: pair.depth + 1 };
      if (original.seen(one) !== changed.seen(other)) return { kind: 'different', path: pathOf(next, events) };
      const key = keyOf(one, other);
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

/** Numbers of states stay far below the root of the largest safe integer. */
const statesMax = 2 ** 26;

function keyOf(one: number, other: number): number {
  return one * statesMax + other;
}

function pathOf<E>(last: Pair, events: readonly E[]): readonly E[] {
  const path: E[] = [];
  for (let pair: Pair | null = last; pair?.from != null; pair = pair.from) path.push(events[pair.by] as E);
  return path.reverse();
}
