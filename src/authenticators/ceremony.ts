import { CeremonyError } from './ceremony-error.ts';

/** Context of a ceremony. */
export interface CeremonyContext {
  /** Origin of the page, such as `http://localhost:3000`. */
  readonly origin: string;
  /** Signal that aborts the ceremony. It is the only way to end a ceremony with the misbehavior `walks-away`. */
  readonly signal?: AbortSignal;
  /** Base64url id of the passkey that the user selects. The default is the newest matching passkey. */
  readonly credentialId?: string;
  /** Creates a passkey without prompting the user, as browsers do after a password sign-in (conditional create). */
  readonly conditional?: boolean;
  /**
   * Origins listed by `/.well-known/webauthn` of the relying party. They are needed only if the page is on another
   * site.
   */
  readonly relatedOrigins?: readonly string[];
}

/**
 * Outcome of a ceremony. No time passes in a ceremony, so a missing response is the separate outcome `unanswered`.
 */
export type CeremonyOutcome<Response> =
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'failed'; readonly error: CeremonyError }
  | { readonly kind: 'unanswered' };

/** Runs a task and converts a thrown CeremonyError to a failed outcome. Other errors are rethrown. */
export function settleCeremony<Response>(task: () => CeremonyOutcome<Response>): CeremonyOutcome<Response> {
  try {
    return task();
  } catch (error) {
    if (error instanceof CeremonyError) return { kind: 'failed', error };
    throw error;
  }
}

/**
 * Converts an outcome to the promise that a page receives.
 * @returns the response; for an unanswered ceremony, the promise stays pending until the signal aborts it
 * @throws CeremonyError if the ceremony failed or was aborted
 */
export async function asPromised<Response>(
  outcome: CeremonyOutcome<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  switch (outcome.kind) {
    case 'answered':
      return outcome.response;
    case 'failed':
      throw outcome.error;
    case 'unanswered':
      return openUntil(signal);
  }
}

function openUntil(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(new CeremonyError('aborted', signal?.reason));
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
