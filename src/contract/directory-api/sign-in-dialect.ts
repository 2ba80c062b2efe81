/** Reasons for errors of the sign-in service that have a number on the wire. */
export type SignInFault =
  | 'tenant-unknown'
  | 'client-unknown'
  | 'secret-wrong'
  | 'secret-missing'
  | 'assertion-invalid'
  | 'secret-of-public-client'
  | 'redirect-uri-mismatch'
  | 'response-type-disabled'
  | 'id-token-disabled'
  | 'scope-unknown'
  | 'scopes-of-two-resources'
  | 'scope-without-resource'
  | 'default-scope-required'
  | 'code-expired'
  | 'code-used'
  | 'verifier-wrong'
  | 'refresh-token-expired'
  | 'browser-refresh-token-expired'
  | 'refresh-token-revoked'
  | 'sign-in-required'
  | 'interaction-required'
  | 'consent-required'
  | 'consent-declined'
  | 'grant-type-unknown'
  | 'authorization-pending'
  | 'device-code-expired'
  | 'device-code-unknown'
  | 'parameter-missing'
  | 'parameter-malformed';

/** Names and numbers that the sign-in service uses on the wire. They are data, so the code contains no provider name. */
export interface SignInDialect {
  /** Beginning of an error description, before the number. */
  readonly errorPrefix: string;
  /** Numbers of errors. An error without one has an empty list of numbers. */
  readonly errorNumbers: Readonly<Partial<Record<SignInFault, number>>>;
}

/** Dialect of the specification: errors have no numbers. */
const seed: SignInDialect = { errorPrefix: '', errorNumbers: {} };

/**
 * Numbers of the provider's public list of error codes.
 *
 * @see CL18
 */
const entra: SignInDialect = {
  errorPrefix: 'AADSTS',
  errorNumbers: {
    'tenant-unknown': 90002,
    'client-unknown': 700016,
    'secret-wrong': 7000215,
    'secret-missing': 7000218,
    'assertion-invalid': 700027,
    'secret-of-public-client': 700025,
    'redirect-uri-mismatch': 50011,
    'response-type-disabled': 70005,
    'id-token-disabled': 700054,
    'scope-unknown': 70011,
    'scopes-of-two-resources': 700022,
    'scope-without-resource': 700023,
    'default-scope-required': 1002012,
    'code-expired': 70008,
    'code-used': 54005,
    'verifier-wrong': 501481,
    'refresh-token-expired': 700082,
    'browser-refresh-token-expired': 700084,
    'refresh-token-revoked': 50173,
    'sign-in-required': 50058,
    'interaction-required': 50076,
    'consent-required': 65001,
    'consent-declined': 65004,
    'grant-type-unknown': 70003,
    'authorization-pending': 70016,
    'device-code-expired': 70019,
    'device-code-unknown': 70018,
    'parameter-missing': 900144,
    'parameter-malformed': 90004,
  },
};

const dialects: Readonly<Record<string, SignInDialect>> = { seed, entra };

/** Returns the sign-in part of a dialect. A dialect without one uses that of the specification. */
export function getSignInDialect(name: string): SignInDialect {
  return dialects[name] ?? seed;
}
