import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../../src/contract/control-answers.schema.ts';
import type { ForecastReport, ForecastStudies } from '../../../src/contract/forecast-report.ts';
import type { describedTenantAnswer, studyAnswer, studyResultAnswer } from '../../../src/contract/study.schema.ts';
import { ask, type Json, RefusedError } from './control-client.ts';

/** A forecast or a comparison that the server makes. */
export type Study = Answer<typeof studyAnswer>;
export type StudyResult = Answer<typeof studyResultAnswer>;
export type ComparisonResult = Extract<StudyResult, { kind: 'comparison' }>;
export type Forecast = ForecastReport & ForecastStudies;
export type DescribedTenant = Answer<typeof describedTenantAnswer>;

/** How often a study that goes on is asked how far it has come, in ms. */
const askEveryMs = 250;

/** The sandbox as a forecast takes it; asked when a view is opened, and not at every event of the sandbox. */
export function useDescription(sandbox: string) {
  return useQuery({
    queryKey: ['description', sandbox],
    queryFn: () => ask<DescribedTenant>(`GET ${pathOf(sandbox)}/forecast-description`),
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
  const path = `${pathOf(sandbox)}/studies/${encodeURIComponent(id ?? '')}`;
  const study = useQuery({
    queryKey: ['study', sandbox, id],
    queryFn: () => ask<Study>(`GET ${path}`),
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) => (error === null && isOpen(data ?? null) ? askEveryMs : false),
  });
  const result = useQuery({
    queryKey: ['study', sandbox, id, 'result'],
    queryFn: () => ask<StudyResult>(`GET ${path}/result`),
    enabled: id !== null && study.data?.state === 'finished',
  });
  return {
    study: study.data ?? null,
    result: id === null ? null : (result.data ?? null),
    error: id === null ? null : (study.error ?? result.error ?? refusalOf(study.data)),
  };
}

/** Whether a study waits or goes on; one that was just asked for does. */
export function isOpen(study: Study | null): boolean {
  return study === null || study.state === 'waiting' || study.state === 'running';
}

/** Begins a study. Takes who is told its id. */
export function useStartStudy(sandbox: string, onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: (order: Json) => ask<Study>(`POST ${pathOf(sandbox)}/studies`, order),
    onSuccess: ({ id }) => onStarted(id),
  });
}

/** Ends a study. */
export function useCancelStudy(sandbox: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask<Study>(`POST ${pathOf(sandbox)}/studies/${encodeURIComponent(id)}/cancel`, {}),
    onSettled: (_study, _error, id) => queries.invalidateQueries({ queryKey: ['study', sandbox, id] }),
  });
}

function refusalOf(study: Study | undefined): Error | null {
  return study?.error == null
    ? null
    : new RefusedError({ ...study.error, problems: [...study.error.problems], requestId: '' });
}

function pathOf(sandbox: string): string {
  return `/sandboxes/${encodeURIComponent(sandbox)}`;
}
