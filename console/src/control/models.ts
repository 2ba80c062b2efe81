import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../../src/contract/control-answers.schema.ts';
import type { chartCoverageAnswer, machineStatesAnswer } from '../../../src/contract/statechart.schema.ts';
import type { Machine } from '../model/chart-layout.ts';
import { ask } from './control-client.ts';
import { useRuns } from './suite.ts';

export type { Machine };
export type MachineStates = Answer<typeof machineStatesAnswer>;
export type RunCharts = Answer<typeof chartCoverageAnswer>;
export type ChartTaken = RunCharts['machines'][number];

/** The machines of the model: they are those of the program, and never change while it runs. */
export function useMachines() {
  return useQuery({
    queryKey: ['machines'],
    queryFn: () => ask<{ readonly machines: readonly Machine[] }>('GET /machines'),
  });
}

/** What the latest run that came to its end took of the machines; nothing where there was none. */
export function useLastCharts() {
  const { data: runs } = useRuns();
  const run = runs?.runs.find(({ state }) => state === 'ended')?.id;
  return useQuery({
    queryKey: ['runs', run, 'charts'],
    queryFn: () => ask<RunCharts>(`GET /runs/${run}/charts`),
    enabled: run !== undefined,
  });
}
