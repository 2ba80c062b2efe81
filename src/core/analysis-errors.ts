import { row } from './error-definition.ts';

/** Error definitions for forecasts and comparisons that a server runs. */
export const analysisErrors = {
  'analysis-missing': row(
    'This server makes no forecasts and comparisons',
    'Start it by `nudgelab serve`, or ask `nudgelab forecast` and `nudgelab compare`.',
    404,
    2,
  ),
  'analysis-not-found': row(
    'No such analysis',
    'List the analyses of the sandbox; the oldest ones are forgotten.',
    404,
    2,
  ),
  'analysis-not-finished': row(
    'The analysis has no result',
    'Wait until its state is finished, or begin another.',
    409,
    2,
  ),
  'analysis-too-large': row(
    'The analysis is too large for the server',
    'Take fewer users, days, seeds or variants, or ask `nudgelab forecast` and `nudgelab compare`.',
    400,
    2,
  ),
  'too-many-analyses': row(
    'Too many analyses wait',
    'Cancel an analysis, or wait for the time in Retry-After.',
    503,
    3,
  ),
} as const;
