import type { AnyStateMachine, EventFrom, Model, SnapshotFrom } from '../../compiled/model.ts';
import { limitStatesDefault } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { NumberedMachine } from '../../generate/mutate/machine-difference.ts';
import { exploreMachine } from '../mealy/explore-machine.ts';
import { type MealyMachine, minimizeMachine, type Word } from '../mealy/mealy-machine.ts';
import type { SystemUnderLearning } from './system-under-learning.ts';

/** View of a snapshot that is the output of the step to it. */
export type ObserveSnapshot = (state: SnapshotFrom<AnyStateMachine>) => unknown;

/** Output of a machine without another view: the value of its state. */
export const observeValue: ObserveSnapshot = ({ value }) => value;

/** System that is a state machine. Its output is a view of the state after each event. */
export class MachineSystem implements SystemUnderLearning {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly #machine: NumberedMachine<AnyStateMachine>;

  /**
   * Creates the system. An event of a type that no other event has is an input with the name of the type, and any other
   * event one with its JSON.
   */
  constructor(model: Model, observe: ObserveSnapshot = observeValue) {
    this.name = model.name;
    this.inputs = nameEvents(model.events);
    this.#machine = new NumberedMachine(model.machine, { ...model, visible: observe });
  }

  /** Sends the events of a word to the machine, starting in its initial state. */
  async run(word: Word): Promise<readonly string[]> {
    let state = this.#machine.first;
    return word.map((input) => {
      state = this.#machine.target(state, input);
      return this.#machine.seen(state);
    });
  }

  /**
   * Returns the machine with its reachable states, minimized.
   * @param statesMax - maximum number of states before minimization
   * @throws NudgeLabError `state-space-too-large`
   */
  async explore(statesMax = limitStatesDefault): Promise<MealyMachine> {
    const machine = this.#machine;
    const explored = await exploreMachine<number>(
      this.inputs,
      {
        first: machine.first,
        toKey: String,
        step: async (state, input) => {
          const next = machine.target(state, input);
          return [next, machine.seen(next)];
        },
      },
      statesMax,
    );
    if (explored !== null) return minimizeMachine(explored);
    throw new NudgeLabError('state-space-too-large', {
      message: `${this.name} has more than ${statesMax} states under these events.`,
    });
  }
}

/** Returns the name of each event as an input. */
function nameEvents(events: readonly EventFrom<AnyStateMachine>[]): readonly string[] {
  const types = events.map(({ type }) => String(type));
  return events.map((event, at) => {
    const isOnly = types.filter((type) => type === types[at]).length === 1;
    return isOnly ? (types[at] as string) : JSON.stringify(event);
  });
}
