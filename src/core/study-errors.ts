import { row } from './error-row.ts';

/** Failures of forecasts and comparisons that a server makes: rows of the table of errors. */
export const studyErrors = {
  'study-missing': row(
    'This server makes no forecasts and comparisons',
    'Start it by `nudgelab serve`, or ask `nudgelab forecast` and `nudgelab compare`.',
    404,
    2,
  ),
  'study-unknown': row('No such study', 'List the studies of the sandbox; the oldest ones are forgotten.', 404, 2),
  'study-unfinished': row('The study has no result', 'Wait until its state is finished, or begin another.', 409, 2),
  'study-too-large': row(
    'The study is too large for the server',
    'Take fewer users, days, seeds or variants, or ask `nudgelab forecast` and `nudgelab compare`.',
    400,
    2,
  ),
  'too-many-studies': row('Too many studies wait', 'Cancel a study, or wait for the time in Retry-After.', 503, 3),
} as const;
