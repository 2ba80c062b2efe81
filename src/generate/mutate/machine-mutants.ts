import type { AnyStateMachine } from '../../compiled/model.ts';
import { implementationMutants } from './implementation-operators.ts';
import type { MachineMutant, Population } from './machine-mutant.ts';
import { transitionMutants } from './transition-operators.ts';

/**
 * Lists all single-fault mutants of a machine. Operators change its configuration, its named guards and its named
 * actions. The population provides the states and events for observing guards and actions. The ids are unique, and the
 * list is the same in every run.
 */
export function machineMutants<M extends AnyStateMachine>(
  machine: M,
  population: Population<M>,
): readonly MachineMutant<M>[] {
  const watched = { ...population, states: spread(population.states) };
  const all = [...transitionMutants(machine), ...implementationMutants(machine, watched)];
  return [...new Map(all.map((mutant) => [mutant.id, mutant])).values()];
}

/** Maximum number of states in which guards and actions are observed. */
const watchedStatesMax = 400;

/** Selects evenly distributed items of a list. */
function spread<T>(list: readonly T[]): readonly T[] {
  const every = Math.ceil(list.length / watchedStatesMax);
  return every <= 1 ? list : list.filter((_item, index) => index % every === 0);
}
