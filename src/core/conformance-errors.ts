import { row } from './error-definition.ts';

/** Error definitions for the conformance of logs. */
export const conformanceErrors = {
  'mapping-invalid': row(
    'The mapping is not valid',
    'Correct every location that the message names; the schema is that of `nudgelab schema conformance-mapping`.',
    400,
    2,
  ),
  'log-invalid': row(
    'The log is not valid',
    'Correct the line that the message names, or the column that the mapping reads.',
    400,
    2,
  ),
  'log-too-large': row(
    'The log has too many users',
    'Divide the log by users, for example by the first letter of their ids.',
    400,
    2,
  ),
} as const;
