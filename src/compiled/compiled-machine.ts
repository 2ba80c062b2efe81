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

/** Stands for the state before the first. */
const none = -1;

/**
 * The reachable states of a machine and its transitions as a table, found by calling the machine's own transition function
 * once for each state and event, breadth first. A class of states is stood for by the first one found.
 */
export class CompiledMachine<M extends AnyStateMachine = AnyStateMachine> {
  readonly machine: M;
  readonly events: readonly EventFrom<M>[];
  /** States in the order of discovery, the first one being where it begins. */
  readonly states: SnapshotFrom<M>[] = [];
  /** For each state and event, the number of the next state: `targets[state * events.length + event]`. */
  readonly targets: number[] = [];
  readonly violations: Violation[] = [];
  readonly #options: ExploreOptions<M>;
  readonly #keys = new Map<string, number>();
  #keyCharacters = 0;
  readonly #from: number[] = [];
  readonly #by: number[] = [];
  readonly #open: Set<Invariant<M>>;

  /**
   * Takes the machine and how it is explored. Throws `alphabet-empty`, `machine-not-explorable`, and
   * `state-space-too-large` with the key of the context that grows.
   */
  constructor(machine: M, options: ExploreOptions<M>) {
    assertExplorable(machine, options.events);
    this.machine = machine;
    this.events = [...new Map(options.events.map((event) => [JSON.stringify(event), event])).values()];
    this.#options = options;
    this.#open = new Set(options.invariants);
    this.#explore();
  }

  /** Transitions, those that lead back to their own state included. */
  get edges(): number {
    return this.targets.length;
  }

  /** The number of the state that an event leads to. Takes the numbers of state and event. */
  target(state: number, event: number): number {
    return this.targets[state * this.events.length + event] ?? none;
  }

  /** The number of a state, or `null` when it is not reachable. Takes a snapshot of it or of another one of its class. */
  stateNumber(state: SnapshotFrom<M>): number | null {
    return this.#keys.get(this.#keyOf(state)) ?? null;
  }

  /** A shortest path to a state: events from the beginning on. Takes the number of the state. */
  pathTo(state: number): readonly EventFrom<M>[] {
    const path: EventFrom<M>[] = [];
    for (let at = state; (this.#from[at] ?? none) !== none; at = this.#from[at] ?? none) {
      path.push(this.events[this.#by[at] ?? none] as EventFrom<M>);
    }
    return path.reverse();
  }

  /** A shortest path over an edge. Takes the numbers of its state and event. */
  pathOver(state: number, event: number): readonly EventFrom<M>[] {
    return [...this.pathTo(state), this.events[event] as EventFrom<M>];
  }

  #explore(): void {
    const { input, from, normalize } = this.#options;
    this.#discover(from ?? this.#first(), none, none);
    const step = this.#steps(createBoundedStepper(this.machine, input));
    // The list grows while it is walked.
    for (let number = 0; number < this.states.length; number += 1) {
      const before = this.states[number] as SnapshotFrom<M>;
      for (const [index, event] of this.events.entries()) {
        const after = step(before, event);
        this.#checkEdge(number, index, after);
        const next = normalize?.(after, event) ?? after;
        // Where nothing happened the machine answers with the snapshot that it was given.
        this.targets.push((next as unknown) === before ? number : this.#discover(next, number, index));
      }
    }
  }

  #first(): SnapshotFrom<M> {
    try {
      return getInitialState(this.machine, this.#options.input);
    } catch (cause) {
      const message = `throws as it begins: ${cause instanceof Error ? cause.message : String(cause)}`;
      const problems = [{ location: `machine "${this.machine.id}"`, message }];
      throw new NudgeLabError('machine-not-explorable', { problems, cause });
    }
  }

  /** What a machine throws is told with the event and the state at which it did. */
  #steps(step: Step<M>): Step<M> {
    return (state, event) => {
      try {
        return step(state, event);
      } catch (cause) {
        const { value } = state as { readonly value: unknown };
        const message = `throws at ${JSON.stringify(event)}: ${cause instanceof Error ? cause.message : String(cause)}`;
        const problems = [{ location: `state ${JSON.stringify(value)}`, message }];
        throw new NudgeLabError('machine-not-explorable', { problems, cause });
      }
    };
  }

  #keyOf(state: SnapshotFrom<M>): string {
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
    const key = this.#keyOf(state);
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const number = this.states.length;
    const limit = this.#options.limitStates ?? limitStatesDefault;
    this.#keyCharacters += key.length;
    if (number >= limit || this.#keyCharacters > keyCharactersMax(limit)) throw this.#tooLarge(Math.min(number, limit));
    this.#refuseUntold(state);
    this.#keys.set(key, number);
    this.states.push(state);
    this.#from.push(from);
    this.#by.push(by);
    for (const invariant of this.#open) {
      if (invariant.of === 'state' && !invariant.holds(state)) this.#violate(invariant, this.pathTo(number));
    }
    return number;
  }

  /** Without a `serialize`, states are told apart by JSON; one whose context JSON does not tell would be merged with others. */
  #refuseUntold(state: SnapshotFrom<M>): void {
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

  /** Breadth first, so that the first violation is one of the nearest; the others of the same invariant are not looked for. */
  #violate(invariant: Invariant<M>, path: readonly unknown[]): void {
    this.#open.delete(invariant);
    this.violations.push({ id: invariant.id, sentence: invariant.sentence, path });
  }

  #tooLarge(limit: number): NudgeLabError {
    const growth = growingKey(this.states.map((state) => (state as { readonly context?: unknown }).context));
    const where = `The machine "${this.machine.id}" has more than ${limit} states`;
    if (growth === null) {
      return new NudgeLabError('state-space-too-large', {
        message: `${where}; no key of its context grows on, so a higher limit may do.`,
      });
    }
    const { key, values, latest } = growth;
    return new NudgeLabError('state-space-too-large', {
      problems: [{ location: key, message: `grows: ${values} values in ${limit} states, the latest ${latest}` }],
      message: `${where}: ${key} grows, it took ${values} values, the latest ${latest}.`,
    });
  }
}

/** A context that refers to itself, or whose own `toJSON` fails. */
function noJson(cause: unknown): ValidationProblem {
  const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return {
    location: 'context',
    message: `cannot be written as JSON (${why}); keep plain data there, or give \`serialize\``,
  };
}
