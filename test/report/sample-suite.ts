import { createMachine } from 'xstate';
import type { SuiteCoverage } from '../../src/contract/suite-coverage.ts';
import { coveredMachine } from '../../src/generate/criteria/covered-charts.ts';
import { machineSuite } from '../../src/generate/suites/machine-suite.ts';

const door = createMachine({
  id: 'door',
  initial: 'closed',
  on: { inspected: {} },
  states: {
    closed: { on: { opened: 'open', locked: 'locked' } },
    open: { on: { closed: 'closed' }, initial: 'ajar', states: { ajar: { on: { pushed: 'wide' } }, wide: {} } },
    locked: { on: { unlocked: 'closed', broken: 'gone' } },
    gone: { type: 'final' },
  },
});
const events = ['opened', 'closed', 'locked', 'unlocked', 'pushed', 'inspected'].map((type) => ({ type }));
/** Suite that covers all transitions of the door machine. */
export const suite = machineSuite({ name: 'door', machine: door, events } as never, 'transitions', null);
/** Chart of the machine with the number of executions of each transition. */
export const chart = coveredMachine(suite);

/** Coverage that the suite page displays. */
export const coverage: SuiteCoverage = {
  title: 'door <transitions>',
  sizeProof: ['1 test, 5 steps'],
  complete: false,
  unreachable: ['the moon'],
  charts: [chart],
  array: {
    factors: ['os', 'browser', 'guest'],
    rows: [
      ['windows', 'edge', 'yes'],
      ['ios', 'safari', 'no'],
    ],
    pairs: [
      { parameterA: 'os', parameterB: 'browser', possible: 3, covered: 2 },
      { parameterA: 'os', parameterB: 'guest', possible: 2, covered: 2 },
      { parameterA: 'browser', parameterB: 'guest', possible: 2, covered: 2 },
    ],
  },
};
