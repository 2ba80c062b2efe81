import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import type { ForecastReport, ForecastStudies } from '../../../src/contract/forecast-report.ts';
import { api, RefusedError } from './control-client.ts';

/** A forecast or a comparison that the server makes. */
export type Study = ControlReply<'getStudy'>;
export type StudyResult = ControlReply<'getStudyResult'>;
export type ComparisonResult = Extract<StudyResult, { kind: 'comparison' }>;
export type Forecast = ForecastReport & ForecastStudies;
export type StudyOrder = ControlRequest<'startStudy'>['body'];
export type ForecastOrder = Extract<StudyOrder, { kind: 'forecast' }>;
export type ComparisonOrder = Extract<StudyOrder, { kind: 'comparison' }>;

/** How often the progress of a study that goes on is requested, in ms. */
const pollEveryMs = 250;

/** The sandbox as a forecast takes it; requested when a view is opened, and not at every event of the sandbox. */
export function useDescription(sandbox: string) {
  return useQuery({
    queryKey: ['description', sandbox],
    queryFn: () => api.describeTenant({ sandbox }),
    gcTime: 0,
  });
}

/** A study as far as it has come, with its result once it is finished. */
export interface FollowedStudy {
  readonly study: Study | null;
  readonly result: StudyResult | null;
  readonly error: Error | null;
}

/** Follows a study until it has ended. Takes its id; without one there is none. */
export function useStudy(sandbox: string, id: string | null): FollowedStudy {
  const request = { sandbox, study: id ?? '' };
  const study = useQuery({
    queryKey: ['study', sandbox, id],
    queryFn: () => api.getStudy(request),
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) => (error === null && isOpen(data ?? null) ? pollEveryMs : false),
  });
  const result = useQuery({
    queryKey: ['study', sandbox, id, 'result'],
    queryFn: () => api.getStudyResult(request),
    enabled: id !== null && study.data?.state === 'finished',
  });
  return {
    study: study.data ?? null,
    result: id === null ? null : (result.data ?? null),
    error: id === null ? null : (study.error ?? result.error ?? refusalOf(study.data)),
  };
}

/** Whether a study waits or goes on; one that was just begun does. */
export function isOpen(study: Study | null): boolean {
  return study === null || study.state === 'waiting' || study.state === 'running';
}

/** Begins a study. Takes what is called with its id. */
export function useStartStudy(sandbox: string, onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: (order: StudyOrder) => api.startStudy({ sandbox, body: order }),
    onSuccess: ({ id }) => onStarted(id),
  });
}

/** Ends a study. */
export function useCancelStudy(sandbox: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.cancelStudy({ sandbox, study: id, body: {} }),
    onSettled: (_study, _error, id) => queries.invalidateQueries({ queryKey: ['study', sandbox, id] }),
  });
}

function refusalOf(study: Study | undefined): Error | null {
  return study?.error == null
    ? null
    : new RefusedError({ ...study.error, problems: [...study.error.problems], requestId: '' });
}
