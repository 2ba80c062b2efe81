import { row } from './error-definition.ts';

/** Error definitions for control keys and forms. */
export const accessErrors = {
  'control-key-invalid': row(
    'No valid control key',
    'Send the control key of the server as `Authorization: Bearer`, or with --control-key or NUDGELAB_CONTROL_KEY; in a browser, sign in at /_console.',
    401,
    2,
  ),
  'registration-key-required': row(
    'Registering a client requires the control key',
    'Send the control key as `Authorization: Bearer`, define the client in a fixture, or start the server with --open-registration.',
    401,
    2,
  ),
  'control-key-required': row(
    'A control key is required',
    'Set NUDGELAB_CONTROL_KEY or --control-key, or listen on the loopback address.',
    500,
    2,
  ),
  'origin-not-allowed': row(
    'The request comes from another origin',
    'Use the URL that the server printed, in Host and Origin.',
    403,
    2,
  ),
  'anti-forgery-token-invalid': row(
    'The anti-forgery token is missing or invalid',
    'Reload the page and submit its own form.',
    403,
    2,
  ),
} as const;
