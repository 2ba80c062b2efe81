import { useQuery } from '@tanstack/react-query';
import type { ControlReply } from '../../../src/client/control-client.ts';
import { api } from './control-client.ts';
import { useRuns } from './suite.ts';

/** A machine as the control API describes it. */
export type Machine = ControlReply<'listMachines'>['machines'][number];
export type MachineTransition = Machine['transitions'][number];
export type MachineStates = ControlReply<'getStates'>;
export type ChartTaken = ControlReply<'getRunCharts'>['machines'][number];

/** Loads the state machines of the model, which are part of the program and never change while it runs. */
export function useMachines() {
  return useQuery({ queryKey: ['machines'], queryFn: () => api.listMachines() });
}

/** Loads the states and transitions that the latest completed run covered, if there is such a run. */
export function useLastCharts() {
  const { data: runs } = useRuns();
  const run = runs?.runs.find(({ state }) => state === 'finished')?.id;
  return useQuery({
    queryKey: ['runs', run, 'charts'],
    queryFn: () => api.getRunCharts({ run: run ?? '' }),
    enabled: run !== undefined,
  });
}
