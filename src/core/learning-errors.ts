import { row } from './error-definition.ts';

/** Error definitions for the learning of systems. */
export const learningErrors = {
  'learning-alphabet-invalid': row(
    'The learning alphabet is not valid',
    'Correct every location that the message names; `nudgelab schema alphabet` prints the schema.',
    400,
    2,
  ),
  'system-not-deterministic': row(
    'The system is not deterministic',
    'Run the word that the message names until both outputs occur, and remove what makes them differ: time, random values, or data that a reset keeps.',
    409,
    1,
  ),
} as const;
