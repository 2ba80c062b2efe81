import { row } from './error-definition.ts';

/** Error definitions for gate modules of own campaigns. */
export const gateErrors = {
  'gate-failed': row(
    'A gate module failed',
    'Correct the module that the message names, then check its ruleset with `nudgelab ruleset check`.',
    500,
    3,
  ),
  'gate-read-undeclared': row(
    'A gate module read a fact that it does not declare',
    'Add the path to `reads` of the module, or read only what `reads` lists.',
    500,
    3,
  ),
} as const;
