import { ClassIndex } from '../../generate/exploration/class-index.ts';
import type { MealyMachine } from './mealy-machine.ts';

/**
 * Creates a machine from functions, breadth first, up to a number of states.
 * @param explore - first state, and the next state with the output for a state and an input number
 * @returns the machine; `null` if it has more states
 */
export async function exploreMachine<S>(
  inputs: readonly string[],
  explore: {
    readonly first: S;
    readonly toKey: (state: S) => string;
    readonly step: (state: S, input: number) => Promise<readonly [next: S, output: string]>;
  },
  statesMax: number,
): Promise<MealyMachine | null> {
  const index = new ClassIndex();
  const states = [explore.first];
  index.getNumber(explore.toKey(explore.first));
  const targets: number[] = [];
  const outputs: string[] = [];
  // The loop also visits the states that it appends.
  for (const state of states) {
    for (let input = 0; input < inputs.length; input += 1) {
      const [next, output] = await explore.step(state, input);
      const number = index.getNumber(explore.toKey(next));
      if (number === states.length) states.push(next);
      if (states.length > statesMax) return null;
      targets.push(number);
      outputs.push(output);
    }
  }
  return { states: states.length, inputs, targets, outputs };
}
