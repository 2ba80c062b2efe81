import type { ProductSteps } from '../../generate/exploration/product-steps.ts';
import { type MealyMachine, runWord, type Word } from '../mealy/mealy-machine.ts';
import type { SystemUnderLearning } from './system-under-learning.ts';

/** Creates a system that behaves like a Mealy machine. */
export function simulateMachine(name: string, machine: MealyMachine): SystemUnderLearning {
  return { name, inputs: machine.inputs, run: async (word: Word) => runWord(machine, word) };
}

/**
 * Returns the Mealy machine of an explored product. The output of an action is the view of the state after it.
 * @param view - view of a state by its part states
 */
export function toMealyMachine(
  steps: ProductSteps,
  view: (parts: ReadonlyMap<string, unknown>) => unknown,
): MealyMachine {
  const { graph, compiled, explored } = steps;
  const views = Array.from({ length: graph.states }, (_, state) => JSON.stringify(view(explored.getState(state))));
  return {
    states: graph.states,
    inputs: compiled.product.actions.map(({ name }) => name),
    targets: graph.targets,
    outputs: Array.from(graph.targets, (target) => views[target] as string),
  };
}
