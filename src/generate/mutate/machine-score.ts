import type { AnyStateMachine, EventFrom, Model, SnapshotFrom } from '../../compiled/model.ts';
import { documentView } from '../models/document-model.ts';
import { transitionTour } from '../tours/transition-tour.ts';
import { type MutantsReport, mutants } from './mutants.ts';

/**
 * Views of machines whose context has more than users can observe; all other machines are compared by value and
 * context.
 */
const views: Readonly<Record<string, (state: never) => unknown>> = {
  document: documentView,
  'passkey-eligibility': ({ value }: { readonly value: unknown }) => value,
};

/** Mutation score of one machine's generated tests. */
export interface MachineScore extends MutantsReport<AnyStateMachine> {
  /**
   * Number of tests: a tour of all transitions, including self-transitions, each followed by distinguishing sequences.
   */
  readonly tests: number;
  readonly steps: number;
  /** Optimality gap: maximum difference between the cost of the tests and the minimum cost. */
  readonly gap: number;
}

/**
 * Measures the generated tests of a machine by its mutants: a transition tour with a distinguishing sequence after each
 * transition.
 * @param limitPairs - maximum number of state pairs in one comparison
 * @throws the errors of `explore`
 */
export function machineScore(model: Model, limitPairs?: number): MachineScore {
  const view = views[model.name] as ((state: SnapshotFrom<AnyStateMachine>) => unknown) | undefined;
  const visible = view ?? (({ value, context }: SnapshotFrom<AnyStateMachine>) => ({ value, context }));
  const { tests, steps, gap } = transitionTour(model.machine, { ...model, stays: true, suffixes: 'each', visible });
  const suite = tests as readonly (readonly EventFrom<AnyStateMachine>[])[];
  const limits = limitPairs === undefined ? {} : { limitPairs };
  return { ...mutants(model.machine, { ...model, suite, visible, ...limits }), tests: tests.length, steps, gap };
}
