import { row } from './error-definition.ts';

/** Error definitions for temporal properties. */
export const propertyErrors = {
  'property-invalid': row(
    'The properties are not valid',
    'Correct every location that the message names; `nudgelab properties --names` lists what a machine has.',
    400,
    2,
  ),
  'property-too-large': row(
    'The property is too large',
    'Divide the property into several ones, or use shorter times and smaller numbers.',
    400,
    2,
  ),
  'property-violated': row(
    'A property is violated',
    'Compare the journal with the property; `nudgelab explain` and `nudgelab replay --step` show each step.',
    409,
    1,
  ),
} as const;
