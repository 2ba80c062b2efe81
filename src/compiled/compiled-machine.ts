import type { Step } from '../../machines/step.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { assertExplorable } from './admissible.ts';
import { createBoundedStepper, getInitialState } from './bounded-step.ts';
import {
  type AnyStateMachine,
  type EventFrom,
  type ExploreOptions,
  type Invariant,
  limitStatesDefault,
  type SnapshotFrom,
  type Violation,
} from './model.ts';
import { createStateKey, findUnserializableValue, keyCharactersMax } from './state-key.ts';
import { growingKey } from './unbounded-growth.ts';

/** Number that represents the state before the initial one. */
const none = -1;

/**
 * Table of the reachable states of a machine and its transitions. It is computed breadth first with the machine's
 * own transition function, once per state and event. The first state found represents its equivalence class.
 */
export class CompiledMachine<M extends AnyStateMachine = AnyStateMachine> {
  readonly machine: M;
  readonly events: readonly EventFrom<M>[];
  /** States in the order of discovery, starting with the initial state. */
  readonly states: SnapshotFrom<M>[] = [];
  /** Number of the next state for each state and event: `targets[state * events.length + event]`. */
  readonly targets: number[] = [];
  readonly violations: Violation[] = [];
  readonly #options: ExploreOptions<M>;
  readonly #keys = new Map<string, number>();
  #keyCharacters = 0;
  readonly #from: number[] = [];
  readonly #by: number[] = [];
  readonly #open: Set<Invariant<M>>;

  /**
   * Explores a machine. Throws `alphabet-empty`, `machine-not-explorable`, and `state-space-too-large` with the
   * context key that grows.
   */
  constructor(machine: M, options: ExploreOptions<M>) {
    assertExplorable(machine, options.events);
    this.machine = machine;
    this.events = [...new Map(options.events.map((event) => [JSON.stringify(event), event])).values()];
    this.#options = options;
    this.#open = new Set(options.invariants);
    this.#explore();
  }

  /** Number of transitions, including self-transitions. */
  get edges(): number {
    return this.targets.length;
  }

  /** Returns the number of the next state for the numbers of a state and an event. */
  target(state: number, event: number): number {
    return this.targets[state * this.events.length + event] ?? none;
  }

  /**
   * Returns the number of a state; `null` if it is not reachable. Any snapshot of the same equivalence class is
   * accepted.
   */
  stateNumber(state: SnapshotFrom<M>): number | null {
    return this.#keys.get(this.#toKey(state)) ?? null;
  }

  /** Returns a shortest path of events from the initial state to the state with this number. */
  pathTo(state: number): readonly EventFrom<M>[] {
    const path: EventFrom<M>[] = [];
    for (let at = state; (this.#from[at] ?? none) !== none; at = this.#from[at] ?? none) {
      path.push(this.events[this.#by[at] ?? none] as EventFrom<M>);
    }
    return path.reverse();
  }

  /** Returns a shortest path of events that ends with the edge of this state and event number. */
  pathOver(state: number, event: number): readonly EventFrom<M>[] {
    return [...this.pathTo(state), this.events[event] as EventFrom<M>];
  }

  #explore(): void {
    const { input, from, normalize } = this.#options;
    this.#discover(from ?? this.#first(), none, none);
    const step = this.#steps(createBoundedStepper(this.machine, input));
    // The array grows during the iteration.
    for (let number = 0; number < this.states.length; number += 1) {
      const before = this.states[number] as SnapshotFrom<M>;
      for (const [index, event] of this.events.entries()) {
        const after = step(before, event);
        this.#checkEdge(number, index, after);
        const next = normalize?.(after, event) ?? after;
        // A machine returns the same snapshot if an event has no effect.
        this.targets.push((next as unknown) === before ? number : this.#discover(next, number, index));
      }
    }
  }

  #first(): SnapshotFrom<M> {
    try {
      return getInitialState(this.machine, this.#options.input);
    } catch (cause) {
      const message = `throws on start: ${cause instanceof Error ? cause.message : String(cause)}`;
      const problems = [{ location: `machine "${this.machine.id}"`, message }];
      throw new NudgeLabError('machine-not-explorable', { problems, cause });
    }
  }

  /** Wraps a step function to add the event and the state to errors of the machine. */
  #steps(step: Step<M>): Step<M> {
    return (state, event) => {
      try {
        return step(state, event);
      } catch (cause) {
        const { value } = state as { readonly value: unknown };
        const message = `throws on event ${JSON.stringify(event)}: ${cause instanceof Error ? cause.message : String(cause)}`;
        const problems = [{ location: `state ${JSON.stringify(value)}`, message }];
        throw new NudgeLabError('machine-not-explorable', { problems, cause });
      }
    };
  }

  #toKey(state: SnapshotFrom<M>): string {
    const { serialize } = this.#options;
    if (serialize !== undefined) return serialize(state);
    try {
      return createStateKey(state);
    } catch (cause) {
      const { context } = state as { readonly context?: unknown };
      throw new NudgeLabError('machine-not-explorable', {
        problems: [findUnserializableValue(context) ?? noJson(cause)],
        cause,
      });
    }
  }

  #discover(state: SnapshotFrom<M>, from: number, by: number): number {
    const key = this.#toKey(state);
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const number = this.states.length;
    const limit = this.#options.limitStates ?? limitStatesDefault;
    this.#keyCharacters += key.length;
    if (number >= limit || this.#keyCharacters > keyCharactersMax(limit)) throw this.#tooLarge(Math.min(number, limit));
    this.#refuseUnserializable(state);
    this.#keys.set(key, number);
    this.states.push(state);
    this.#from.push(from);
    this.#by.push(by);
    for (const invariant of this.#open) {
      if (invariant.of === 'state' && !invariant.holds(state)) this.#violate(invariant, this.pathTo(number));
    }
    return number;
  }

  /**
   * Rejects a context that JSON does not preserve. Without `serialize`, states are compared as JSON, so such a state
   * would be merged with others.
   */
  #refuseUnserializable(state: SnapshotFrom<M>): void {
    if (this.#options.serialize !== undefined) return;
    const problem = findUnserializableValue((state as { readonly context?: unknown }).context);
    if (problem !== null) throw new NudgeLabError('machine-not-explorable', { problems: [problem] });
  }

  #checkEdge(number: number, index: number, after: SnapshotFrom<M>): void {
    for (const invariant of this.#open) {
      if (invariant.of !== 'edge') continue;
      const before = this.states[number] as SnapshotFrom<M>;
      const event = this.events[index] as EventFrom<M>;
      if (!invariant.holds({ before, event, after })) this.#violate(invariant, this.pathOver(number, index));
    }
  }

  /**
   * Records the first violation of an invariant, which has a shortest path because the search is breadth first.
   * Further violations of the invariant are not searched.
   */
  #violate(invariant: Invariant<M>, path: readonly unknown[]): void {
    this.#open.delete(invariant);
    this.violations.push({ id: invariant.id, sentence: invariant.sentence, path });
  }

  #tooLarge(limit: number): NudgeLabError {
    const growth = growingKey(this.states.map((state) => (state as { readonly context?: unknown }).context));
    const where = `The machine "${this.machine.id}" has more than ${limit} states`;
    if (growth === null) {
      return new NudgeLabError('state-space-too-large', {
        message: `${where}; none of its context values keeps growing, so a higher limit may be enough.`,
      });
    }
    const { key, values, latest } = growth;
    return new NudgeLabError('state-space-too-large', {
      problems: [{ location: key, message: `grows: ${values} values in ${limit} states, the latest ${latest}` }],
      message: `${where}: ${key} grows; it had ${values} values, the latest ${latest}.`,
    });
  }
}

/** Creates the problem for a context that contains a circular reference or a failing `toJSON`. */
function noJson(cause: unknown): ValidationProblem {
  const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return {
    location: 'context',
    message: `cannot be serialized as JSON (${why}); use plain data, or set \`serialize\``,
  };
}
