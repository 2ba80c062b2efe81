import type { StateGraph } from '../../generate/exploration/state-graph.ts';
import { waysFrom } from '../../generate/exploration/state-graph.ts';
import { Separation } from '../../generate/separation/separation.ts';

/**
 * Complete Mealy machine in numbers. The initial state is 0, and every state has a target and an output for every
 * input.
 */
export interface MealyMachine {
  readonly states: number;
  /** Names of the inputs, in the order of their numbers. */
  readonly inputs: readonly string[];
  /** Next state for each state and input: `targets[state * inputs.length + input]`. */
  readonly targets: ArrayLike<number>;
  /** Output of the same transition. Equal texts are equal outputs. */
  readonly outputs: readonly string[];
}

/** Sequence of input numbers. */
export type Word = readonly number[];

/** Returns the number of the transition of a state and an input. */
export function transitionNumber({ inputs }: MealyMachine, state: number, input: number): number {
  return state * inputs.length + input;
}

/** Returns the state that a transition leads to. */
export function getTarget(machine: MealyMachine, state: number, input: number): number {
  return machine.targets[transitionNumber(machine, state, input)] as number;
}

/** Returns the output of a transition. */
export function getOutput(machine: MealyMachine, state: number, input: number): string {
  return machine.outputs[transitionNumber(machine, state, input)] as string;
}

/** Returns the outputs of a word from a state. */
export function runWord(machine: MealyMachine, word: Word, from = 0): readonly string[] {
  let state = from;
  return word.map((input) => {
    const output = getOutput(machine, state, input);
    state = getTarget(machine, state, input);
    return output;
  });
}

/** Returns the state after a word. */
export function getStateAfter(machine: MealyMachine, word: Word, from = 0): number {
  return word.reduce((state, input) => getTarget(machine, state, input), from);
}

/** Returns the graph of a machine without its outputs. */
function toStateGraph({ states, inputs, targets }: MealyMachine): StateGraph {
  return { states, labels: inputs.length, targets };
}

/** Returns a shortest word to each state; states that cannot be reached have none. */
export function listAccessWords(machine: MealyMachine): readonly (Word | null)[] {
  const { distance, to } = waysFrom(toStateGraph(machine), 0);
  return Array.from({ length: machine.states }, (_, state) => (distance[state] === -1 ? null : to(state)));
}

/**
 * Finds the states that differ after some word. The observation of a state is the list of its outputs, so a word of
 * the separation is completed by an input at which the outputs differ.
 */
export function separateStates(machine: MealyMachine): Separation {
  const count = machine.inputs.length;
  const rows = Array.from({ length: machine.states }, (_, state) =>
    machine.outputs.slice(state * count, (state + 1) * count),
  );
  return new Separation(toStateGraph(machine), rows);
}

/**
 * Returns the smallest machine with the same behavior: reachable states only, and one for each class of equivalent
 * states, numbered breadth first.
 */
export function minimizeMachine(machine: MealyMachine): MealyMachine {
  const { classOf } = separateStates(machine);
  const count = machine.inputs.length;
  const numbers = new Map([[classOf[0] as number, 0]]);
  const representatives = [0];
  const targets: number[] = [];
  const outputs: string[] = [];
  // The loop also visits the states that it appends.
  for (const state of representatives) {
    for (let input = 0; input < count; input += 1) {
      const target = getTarget(machine, state, input);
      const kind = classOf[target] as number;
      let number = numbers.get(kind);
      if (number === undefined) {
        number = representatives.push(target) - 1;
        numbers.set(kind, number);
      }
      targets.push(number);
      outputs.push(getOutput(machine, state, input));
    }
  }
  return { states: representatives.length, inputs: machine.inputs, targets, outputs };
}

/**
 * Returns a machine with its inputs in another order.
 * @returns the machine; `null` if it lacks an input
 */
export function withInputs(machine: MealyMachine, inputs: readonly string[]): MealyMachine | null {
  const numbers = inputs.map((name) => machine.inputs.indexOf(name));
  if (numbers.includes(-1)) return null;
  const places = Array.from({ length: machine.states }, (_, state) =>
    numbers.map((number) => state * machine.inputs.length + number),
  ).flat();
  return {
    states: machine.states,
    inputs,
    targets: places.map((place) => machine.targets[place] as number),
    outputs: places.map((place) => machine.outputs[place] as string),
  };
}
