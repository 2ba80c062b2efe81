import type { AnyStateMachine, EventFrom, Model, SnapshotFrom } from '../../compiled/model.ts';
import { documentView } from '../models/document-model.ts';
import { transitionTour } from '../tours/transition-tour.ts';
import { type MutantsReport, mutants } from './mutants.ts';

/** What a user sees of the machines that have more in their context than is told; of all others value and context are seen. */
const views: Readonly<Record<string, (state: never) => unknown>> = {
  document: documentView,
  'passkey-eligibility': ({ value }: { readonly value: unknown }) => value,
};

/** How many faults of one machine its generated tests show. */
export interface MachineScore extends MutantsReport<AnyStateMachine> {
  /** Tests: a tour of all transitions, those that stay included, each with the suffixes of where it leads. */
  readonly tests: number;
  readonly steps: number;
  /** How far the tests may be above the cheapest ones. */
  readonly gap: number;
}

/**
 * Measures the generated tests of a single machine by its mutants: a tour in which a separating suffix follows each transition.
 * Takes the model, and how many pairs of states one comparison may walk. Throws what `explore` throws.
 */
export function machineScore(model: Model, limitPairs?: number): MachineScore {
  const view = views[model.name] as ((state: SnapshotFrom<AnyStateMachine>) => unknown) | undefined;
  const visible = view ?? (({ value, context }: SnapshotFrom<AnyStateMachine>) => ({ value, context }));
  const { tests, steps, gap } = transitionTour(model.machine, { ...model, stays: true, suffixes: 'each', visible });
  const suite = tests as readonly (readonly EventFrom<AnyStateMachine>[])[];
  const limits = limitPairs === undefined ? {} : { limitPairs };
  return { ...mutants(model.machine, { ...model, suite, visible, ...limits }), tests: tests.length, steps, gap };
}
