import type { AnyStateMachine } from '../../compiled/model.ts';
import { implementationMutants } from './implementation-operators.ts';
import type { MachineMutant, Population } from './machine-mutant.ts';
import { transitionMutants } from './transition-operators.ts';

/**
 * Every machine that differs from a machine by one fault, made by operators from its configuration, its named guards and its
 * named actions. Takes the machine, and states and events in which guards and actions are watched. The ids are unique, and
 * the list is the same at every run.
 */
export function machineMutants<M extends AnyStateMachine>(
  machine: M,
  population: Population<M>,
): readonly MachineMutant<M>[] {
  const watched = { ...population, states: spread(population.states) };
  const all = [...transitionMutants(machine), ...implementationMutants(machine, watched)];
  return [...new Map(all.map((mutant) => [mutant.id, mutant])).values()];
}

/** States in which guards and actions are watched, at most. */
const watchedStatesMax = 400;

/** Some of a list, from all over it. */
function spread<T>(list: readonly T[]): readonly T[] {
  const every = Math.ceil(list.length / watchedStatesMax);
  return every <= 1 ? list : list.filter((_item, index) => index % every === 0);
}
