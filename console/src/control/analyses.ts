import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import type { ForecastAnalyses, ForecastReport } from '../../../src/contract/forecast-report.ts';
import { api, RefusedError } from './control-client.ts';

/** Analysis that runs on the server. */
export type Analysis = ControlReply<'getAnalysis'>;
export type AnalysisResult = ControlReply<'getAnalysisResult'>;
export type ComparisonResult = Extract<AnalysisResult, { kind: 'comparison' }>;
export type PropertiesResult = Extract<AnalysisResult, { kind: 'properties' }>;
export type PropertyResult = PropertiesResult['properties'][number];
export type Forecast = ForecastReport & ForecastAnalyses;
export type AnalysisRequest = ControlRequest<'startAnalysis'>['body'];
export type ForecastRequest = Extract<AnalysisRequest, { kind: 'forecast' }>;
export type OwnForecastRequest = Extract<AnalysisRequest, { kind: 'ownForecast' }>;
export type ComparisonRequest = Extract<AnalysisRequest, { kind: 'comparison' }>;

/** Polling interval for the progress of an open analysis, in milliseconds. */
const pollEveryMs = 250;

/** Loads the sandbox description for a forecast, once when a view opens and not after each sandbox event. */
export function useDescription(sandbox: string) {
  return useQuery({
    queryKey: ['description', sandbox],
    queryFn: () => api.getForecastInput({ sandbox }),
    gcTime: 0,
  });
}

/** Current status of an analysis, with its result once it is finished. */
export interface FollowedAnalysis {
  readonly analysis: Analysis | null;
  readonly result: AnalysisResult | null;
  readonly error: Error | null;
}

/** Polls an analysis until it ends. Returns no analysis if `id` is `null`. */
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
    error: id === null ? null : (analysis.error ?? result.error ?? findRejection(analysis.data)),
  };
}

/** Returns true if an analysis is queued or running, or if its first status has not arrived yet. */
export function isOpen(analysis: Analysis | null): boolean {
  return analysis === null || analysis.state === 'queued' || analysis.state === 'running';
}

/** Starts an analysis and calls `onStarted` with its id. */
export function useStartAnalysis(sandbox: string, onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: (order: AnalysisRequest) => api.startAnalysis({ sandbox, body: order }),
    onSuccess: ({ id }) => onStarted(id),
  });
}

/** Cancels an analysis. */
export function useCancelAnalysis(sandbox: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.cancelAnalysis({ sandbox, analysis: id, body: {} }),
    onSettled: (_analysis, _error, id) => queries.invalidateQueries({ queryKey: ['analysis', sandbox, id] }),
  });
}

function findRejection(analysis: Analysis | undefined): Error | null {
  return analysis?.error == null
    ? null
    : new RefusedError({ ...analysis.error, problems: [...analysis.error.problems], requestId: '' });
}
