import {
  getOutput,
  getTarget,
  type MealyMachine,
  minimizeMachine,
  transitionNumber,
  type Word,
} from './mealy-machine.ts';

/** Transition at which a machine and another one show different outputs after equal ones. */
export interface MachineDifference {
  /** Shortest word that ends with the transition. */
  readonly word: Word;
  /** State of the first machine before the last input. */
  readonly state: number;
  readonly output: string;
  readonly otherOutput: string;
}

/** Pair of states that the same word reaches, with the step to it. */
interface Pair {
  readonly one: number;
  readonly other: number;
  readonly from: Pair | null;
  readonly by: number;
}

/** Maximum number of states, which keeps the product of two state numbers below the largest safe integer. */
const statesMax = 2 ** 26;

/**
 * Lists the transitions of a machine that differ from another one with the same inputs, each with a shortest word on
 * which the outputs are equal until the last input. The words are in order of length.
 *
 * @param inputs - inputs to compare, as numbers of both machines; default: all
 */
export function listDifferences(
  machine: MealyMachine,
  other: MealyMachine,
  inputs: readonly number[] = [...machine.inputs.keys()],
): readonly MachineDifference[] {
  const pairs: Pair[] = [{ one: 0, other: 0, from: null, by: -1 }];
  const met = new Set([0]);
  const found = new Map<number, MachineDifference>();
  // The loop also visits the pairs that it appends.
  for (const pair of pairs) {
    for (const input of inputs) {
      const output = getOutput(machine, pair.one, input);
      const otherOutput = getOutput(other, pair.other, input);
      if (output !== otherOutput) {
        const transition = transitionNumber(machine, pair.one, input);
        const word = [...listInputs(pair), input];
        if (!found.has(transition)) found.set(transition, { word, state: pair.one, output, otherOutput });
        continue;
      }
      const next = { one: getTarget(machine, pair.one, input), other: getTarget(other, pair.other, input) };
      const key = next.one * statesMax + next.other;
      if (met.has(key)) continue;
      met.add(key);
      pairs.push({ ...next, from: pair, by: input });
    }
  }
  return [...found.values()];
}

function listInputs(last: Pair): readonly number[] {
  const inputs: number[] = [];
  for (let pair: Pair | null = last; pair?.from != null; pair = pair.from) inputs.push(pair.by);
  return inputs.reverse();
}

/**
 * Checks whether two machines are isomorphic after minimization: the same inputs, and a one-to-one relation of the
 * states that preserves initial state, targets and outputs. Machines are numbered breadth first when they are
 * minimized, so isomorphic ones are equal.
 */
export function areIsomorphic(one: MealyMachine, other: MealyMachine): boolean {
  const [left, right] = [minimizeMachine(one), minimizeMachine(other)];
  return (
    left.states === right.states &&
    left.inputs.length === right.inputs.length &&
    left.inputs.every((input, at) => input === right.inputs[at]) &&
    left.outputs.every((output, at) => output === right.outputs[at]) &&
    Array.from(left.targets).every((target, at) => target === right.targets[at])
  );
}
