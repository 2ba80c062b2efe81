import { named, operation } from './control-operation.ts';
import { machineStatesQuery, machineStatesResponse, machinesResponse } from './statechart.schema.ts';

/** Operations of the control API that describe the model. */
export const modelOperations = named({
  listMachines: operation('GET /machines', {
    summary: 'Lists every state machine as a statechart: states, transitions, guards, and the rules behind them.',
    reply: machinesResponse,
  }),
  getStates: operation('GET /sandboxes/{sandbox}/states', {
    summary: 'Returns the current state of each machine for a user, their sign-in and a document.',
    query: machineStatesQuery,
    reply: machineStatesResponse,
    errors: ['user-not-found', 'sign-in-not-found'],
  }),
});
