import * as analysis from './analysis.schema.ts';
import { emptyRequest } from './control.schema.ts';
import { named, operation } from './control-operation.ts';

/** Operations of the control API on forecasts, policy comparisons and checks of properties. */
export const analysisOperations = named({
  getForecastInput: operation('GET /sandboxes/{sandbox}/forecast-input', {
    summary: 'Returns the tenant and its users as forecast input; values the sandbox does not know are assumed.',
    reply: analysis.forecastInputResponse,
  }),
  listAnalyses: operation('GET /sandboxes/{sandbox}/analyses', {
    summary: 'Lists the stored analyses, newest first.',
    reply: analysis.analysesResponse,
    errors: ['analysis-missing'],
  }),
  startAnalysis: operation('POST /sandboxes/{sandbox}/analyses', {
    summary:
      'Queues a forecast of a tenant, a comparison of the journal with other policies, or a check of temporal properties.',
    body: analysis.analysisRequest,
    reply: analysis.analysisResponse,
    statuses: [201],
    errors: ['analysis-missing', 'analysis-too-large', 'too-many-analyses'],
  }),
  getAnalysis: operation('GET /sandboxes/{sandbox}/analyses/{analysis}', {
    summary: 'Returns an analysis and its progress.',
    reply: analysis.analysisResponse,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
  getAnalysisResult: operation('GET /sandboxes/{sandbox}/analyses/{analysis}/result', {
    summary: 'Returns the result of a finished analysis.',
    reply: analysis.analysisResultResponse,
    errors: ['analysis-missing', 'analysis-not-found', 'analysis-not-finished'],
  }),
  cancelAnalysis: operation('POST /sandboxes/{sandbox}/analyses/{analysis}/cancel', {
    summary: 'Cancels a queued or running analysis; an analysis that has ended stays as it is.',
    body: emptyRequest,
    reply: analysis.analysisResponse,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
  deleteAnalysis: operation('DELETE /sandboxes/{sandbox}/analyses/{analysis}', {
    summary: 'Cancels an analysis if needed and deletes it with its result.',
    reply: null,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
});
