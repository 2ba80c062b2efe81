/** Why a ceremony fails, and the name under which a page sees it, after the table of names of WebIDL. */
const table = {
  refused: row('NotAllowedError', 'The user refused.'),
  'timed-out': row('NotAllowedError', 'The time of the ceremony is over.'),
  'no-credential': row('NotAllowedError', 'The authenticator holds no passkey that the server allows.'),
  'cannot-serve': row('NotAllowedError', 'The authenticator lacks what the server requires.'),
  excluded: row('InvalidStateError', 'The authenticator holds a passkey that the server excludes.'),
  'no-algorithm': row('NotSupportedError', 'The authenticator has none of the algorithms that the server takes.'),
  'foreign-relying-party': row('SecurityError', 'The relying party id is not a domain of this origin.'),
  aborted: row('AbortError', 'The caller gave up.'),
} as const;

interface FailureRow {
  readonly name: 'NotAllowedError' | 'InvalidStateError' | 'NotSupportedError' | 'SecurityError' | 'AbortError';
  readonly message: string;
}

function row(name: FailureRow['name'], message: string): FailureRow {
  return { name, message };
}

/** Stable codes of what can go wrong in a ceremony. */
export type CeremonyFailure = keyof typeof table;

/** A failed ceremony. `name` is that of the exception which a page would see; `failure` tells apart what a page cannot. */
export class CeremonyError extends Error {
  override readonly name: FailureRow['name'];
  readonly failure: CeremonyFailure;

  /** Takes the code of a row of the table, and the cause where there is one. */
  constructor(failure: CeremonyFailure, cause?: unknown) {
    super(table[failure].message, cause === undefined ? {} : { cause });
    this.name = table[failure].name;
    this.failure = failure;
  }
}
