import * as analysis from './analysis.schema.ts';
import { emptyRequest } from './control.schema.ts';
import { named, operation } from './control-operation.ts';

/** Operations of the control API on forecasts and policy comparisons. */
export const analysisOperations = named({
  getForecastInput: operation('GET /sandboxes/{sandbox}/forecast-input', {
    summary: 'The tenant and its users as a forecast takes them; what the sandbox does not know is assumed.',
    reply: analysis.forecastInputResponse,
  }),
  listAnalyses: operation('GET /sandboxes/{sandbox}/analyses', {
    summary: 'Forecasts and comparisons that are held, the newest first.',
    reply: analysis.analysesResponse,
    errors: ['analysis-missing'],
  }),
  startAnalysis: operation('POST /sandboxes/{sandbox}/analyses', {
    summary:
      'Begins a forecast of a described tenant, or a comparison of the journal with other policies, as soon as those before it have ended.',
    body: analysis.analysisRequest,
    reply: analysis.analysisResponse,
    statuses: [201],
    errors: ['analysis-missing', 'analysis-too-large', 'too-many-analyses'],
  }),
  getAnalysis: operation('GET /sandboxes/{sandbox}/analyses/{analysis}', {
    summary: 'An analysis and how far it has come.',
    reply: analysis.analysisResponse,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
  getAnalysisResult: operation('GET /sandboxes/{sandbox}/analyses/{analysis}/result', {
    summary: 'What an analysis that is finished came to.',
    reply: analysis.analysisResultResponse,
    errors: ['analysis-missing', 'analysis-not-found', 'analysis-not-finished'],
  }),
  cancelAnalysis: operation('POST /sandboxes/{sandbox}/analyses/{analysis}/cancel', {
    summary: 'Ends an analysis that waits or goes on; one that has ended stays as it is.',
    body: emptyRequest,
    reply: analysis.analysisResponse,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
  deleteAnalysis: operation('DELETE /sandboxes/{sandbox}/analyses/{analysis}', {
    summary: 'Ends an analysis and forgets it with its result.',
    reply: null,
    errors: ['analysis-missing', 'analysis-not-found'],
  }),
});
