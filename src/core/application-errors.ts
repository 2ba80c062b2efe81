import { row } from './error-definition.ts';

/** Error definitions for sign-ins of applications. */
export const applicationErrors = {
  'interaction-unknown': row(
    'The sign-in for the application has ended',
    'Return to the application and sign in from there.',
    404,
    2,
  ),
  'client-not-found': row(
    'Application not found',
    'Register the application, or use one of the clients of this sandbox.',
    400,
    2,
  ),
  'tenant-not-found': row(
    'Tenant not found',
    'Use the tenant id of a sandbox, which its discovery document names, or one of its verified domains.',
    400,
    2,
  ),
  'redirect-uri-mismatch': row(
    'The redirect URI is not registered',
    'Register the redirect URI for the client; it must match exactly.',
    400,
    2,
  ),
  'authorization-invalid': row(
    'The authorization request is not valid',
    'Correct the parameter that the message names in the request of the application.',
    400,
    2,
  ),
} as const;
