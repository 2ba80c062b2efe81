import { row } from './error-definition.ts';

/** Error definitions for passkeys. */
export const passkeyErrors = {
  'passkey-not-allowed': row(
    'The policy does not admit this passkey',
    'Choose another kind of passkey, or change the passkey policy of the tenant.',
    403,
    1,
  ),
  'credential-taken': row(
    'A user of this sandbox already has a passkey with this credential ID',
    'Have the authenticator create a new passkey.',
    409,
    1,
  ),
} as const;
