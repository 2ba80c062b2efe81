import type { AnyStateMachine, EventFrom, Model } from '../compiled/model.ts';
import type { Certificate, MachineSuite } from './generation.ts';
import { tour } from './tour.ts';

/** What tests of a single machine can cover. */
export const machineGoals = ['states', 'transitions', 'pairs'] as const;
export type MachineGoal = (typeof machineGoals)[number];

interface MachineSuiteOptions {
  readonly cover: MachineGoal;
  readonly maxLength?: number;
}

/** Tests of a machine that cover its states, transitions or pairs of them at a proven least cost. Throws what `tour` throws. */
export function machineSuite(model: Model, { cover, maxLength }: MachineSuiteOptions): MachineSuite {
  const length = maxLength === undefined ? {} : { maxLength };
  const { tests, covered, steps, cost, lowerBound, gap } = tour(model.machine, { ...model, cover, ...length });
  const certificate: Certificate = {
    of: cover,
    covered,
    unreachable: [],
    tests: tests.length,
    steps,
    cost,
    lowerBound,
    gap,
    complete: true,
  };
  const title = `${model.name.replace(/\.[cm]?[jt]s$/, '').replace(/\.machine$/, '')} ${cover}`;
  return {
    kind: 'machine',
    title,
    what: cover,
    model,
    tests: tests as readonly (readonly EventFrom<AnyStateMachine>[])[],
    certificate,
  };
}
