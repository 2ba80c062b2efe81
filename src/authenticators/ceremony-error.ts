/** Failures of a ceremony, each with the WebIDL exception name that the page receives. */
const table = {
  refused: row('NotAllowedError', 'The user declined.'),
  'timed-out': row('NotAllowedError', 'The ceremony timed out.'),
  'no-credential': row('NotAllowedError', 'The authenticator has no passkey that the server allows.'),
  'cannot-serve': row('NotAllowedError', 'The authenticator does not meet the requirements of the server.'),
  excluded: row('InvalidStateError', 'The authenticator already has a passkey that the server excludes.'),
  'no-algorithm': row(
    'NotSupportedError',
    'The authenticator supports none of the algorithms that the server accepts.',
  ),
  'foreign-relying-party': row('SecurityError', 'The relying party ID is not a domain of this origin.'),
  aborted: row('AbortError', 'The caller aborted the ceremony.'),
} as const;

interface FailureRow {
  readonly name: 'NotAllowedError' | 'InvalidStateError' | 'NotSupportedError' | 'SecurityError' | 'AbortError';
  readonly message: string;
}

function row(name: FailureRow['name'], message: string): FailureRow {
  return { name, message };
}

/** Stable code of a ceremony failure. */
export type CeremonyFailure = keyof typeof table;

/** Error of a failed ceremony. `name` is the exception name that a page receives. `failure` is more specific. */
export class CeremonyError extends Error {
  override readonly name: FailureRow['name'];
  readonly failure: CeremonyFailure;

  /** Creates an error for a failure code, with the underlying cause if there is one. */
  constructor(failure: CeremonyFailure, cause?: unknown) {
    super(table[failure].message, cause === undefined ? {} : { cause });
    this.name = table[failure].name;
    this.failure = failure;
  }
}
