import { row } from './error-definition.ts';

/** Error definitions for control keys and forms. */
export const accessErrors = {
  'control-key-invalid': row(
    'No valid access key',
    'Send the key that the server was started with as `Authorization: Bearer`, by --control-key or NUDGELAB_CONTROL_KEY; in a browser sign in at /_console.',
    401,
    2,
  ),
  'registration-key-required': row(
    'Registering a client needs the control key',
    'Send the control key as `Authorization: Bearer`, name the client in a fixture, or start the server with --open-registration.',
    401,
    2,
  ),
  'control-key-required': row(
    'An access key is needed',
    'Set NUDGELAB_CONTROL_KEY or --control-key, or stay on the loopback address.',
    500,
    2,
  ),
  'origin-not-allowed': row(
    'The request comes from another origin',
    'Use the address that the server printed, in Host and Origin.',
    403,
    2,
  ),
  'anti-forgery-token-invalid': row(
    'The form token is missing or wrong',
    'Load the page again and send its own form.',
    403,
    2,
  ),
} as const;
