import { named, operation } from './control-operation.ts';
import { machineStatesAnswer, machineStatesQuery, machinesAnswer } from './statechart.schema.ts';

/** Operations that show the model itself. */
export const modelOperations = named({
  listMachines: operation('GET /machines', {
    summary: 'Every machine of the model as a statechart: states, transitions, guards, and the rules behind them.',
    reply: machinesAnswer,
  }),
  getMachineStates: operation('GET /sandboxes/{sandbox}/machine-states', {
    summary: 'The state that each machine is in for a user, their sign-in and a document.',
    query: machineStatesQuery,
    reply: machineStatesAnswer,
    errors: ['user-unknown', 'sign-in-unknown'],
  }),
});
