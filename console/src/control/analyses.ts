import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import type { ForecastAnalyses, ForecastReport } from '../../../src/contract/forecast-report.ts';
import { api, RefusedError } from './control-client.ts';

/** A forecast or a comparison that the server makes. */
export type Analysis = ControlReply<'getAnalysis'>;
export type AnalysisResult = ControlReply<'getAnalysisResult'>;
export type ComparisonResult = Extract<AnalysisResult, { kind: 'comparison' }>;
export type Forecast = ForecastReport & ForecastAnalyses;
export type AnalysisRequest = ControlRequest<'startAnalysis'>['body'];
export type ForecastRequest = Extract<AnalysisRequest, { kind: 'forecast' }>;
export type ComparisonRequest = Extract<AnalysisRequest, { kind: 'comparison' }>;

/** How often the progress of an analysis that goes on is requested, in ms. */
const pollEveryMs = 250;

/** The sandbox as a forecast takes it; requested when a view is opened, and not at every event of the sandbox. */
export function useDescription(sandbox: string) {
  return useQuery({
    queryKey: ['description', sandbox],
    queryFn: () => api.getForecastInput({ sandbox }),
    gcTime: 0,
  });
}

/** An analysis as far as it has come, with its result once it is finished. */
export interface FollowedAnalysis {
  readonly analysis: Analysis | null;
  readonly result: AnalysisResult | null;
  readonly error: Error | null;
}

/** Follows an analysis until it has ended. Takes its id; without one there is none. */
export function useAnalysis(sandbox: string, id: string | null): FollowedAnalysis {
  const request = { sandbox, analysis: id ?? '' };
  const analysis = useQuery({
    queryKey: ['analysis', sandbox, id],
    queryFn: () => api.getAnalysis(request),
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) => (error === null && isOpen(data ?? null) ? pollEveryMs : false),
  });
  const result = useQuery({
    queryKey: ['analysis', sandbox, id, 'result'],
    queryFn: () => api.getAnalysisResult(request),
    enabled: id !== null && analysis.data?.state === 'finished',
  });
  return {
    analysis: analysis.data ?? null,
    result: id === null ? null : (result.data ?? null),
    error: id === null ? null : (analysis.error ?? result.error ?? refusalOf(analysis.data)),
  };
}

/** Whether an analysis waits or goes on; one that was just begun does. */
export function isOpen(analysis: Analysis | null): boolean {
  return analysis === null || analysis.state === 'queued' || analysis.state === 'running';
}

/** Begins an analysis. Takes what is called with its id. */
export function useStartAnalysis(sandbox: string, onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: (order: AnalysisRequest) => api.startAnalysis({ sandbox, body: order }),
    onSuccess: ({ id }) => onStarted(id),
  });
}

/** Ends an analysis. */
export function useCancelAnalysis(sandbox: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.cancelAnalysis({ sandbox, analysis: id, body: {} }),
    onSettled: (_analysis, _error, id) => queries.invalidateQueries({ queryKey: ['analysis', sandbox, id] }),
  });
}

function refusalOf(analysis: Analysis | undefined): Error | null {
  return analysis?.error == null
    ? null
    : new RefusedError({ ...analysis.error, problems: [...analysis.error.problems], requestId: '' });
}
