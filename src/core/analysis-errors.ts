import { row } from './error-definition.ts';

/** Error definitions for forecasts and comparisons that a server runs, and for calls of an agent's tools. */
export const analysisErrors = {
  'ruleset-not-compiled': row(
    'The ruleset cannot be compiled to tables',
    'Follow the message, which names the cause with its code and what works without tables.',
    400,
    2,
  ),
  'analysis-missing': row(
    'This server cannot run forecasts or comparisons',
    'Start it with `nudgelab serve`, or run `nudgelab forecast` or `nudgelab compare`.',
    404,
    2,
  ),
  'analysis-not-found': row(
    'Analysis not found',
    'List the analyses of the sandbox; the oldest ones are removed.',
    404,
    2,
  ),
  'analysis-not-finished': row(
    'The analysis has no result',
    'Wait until its state is finished, or start another analysis.',
    409,
    2,
  ),
  'analysis-too-large': row(
    'The analysis is too large for the server',
    'Reduce the users, days, random seeds or variants, or run `nudgelab forecast` or `nudgelab compare`.',
    400,
    2,
  ),
  'too-many-analyses': row(
    'Too many analyses are queued',
    'Cancel an analysis, or wait for the time in Retry-After.',
    503,
    3,
  ),
  'tool-limit-exceeded': row(
    'The tool call exceeded a limit',
    'Call the tool with less input or fewer calls at once, or run the command of the same name in a terminal.',
    503,
    3,
  ),
} as const;
