import { row } from './error-definition.ts';

/** Error definitions for passkeys. */
export const passkeyErrors = {
  'passkey-not-allowed': row(
    'The policy does not allow this passkey',
    'Choose another passkey type, or change the passkey policy of the tenant.',
    403,
    1,
  ),
  'credential-taken': row(
    'A user of this sandbox already has a passkey with this credential ID',
    'Create a new passkey with the authenticator.',
    409,
    1,
  ),
} as const;
