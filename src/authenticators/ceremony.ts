import { CeremonyError } from './ceremony-error.ts';

/** Where a ceremony takes place. */
export interface CeremonyContext {
  /** The origin of the page, such as `http://localhost:3000`. */
  readonly origin: string;
  /** How the caller gives up; an authenticator that walked away is ended by nothing else. */
  readonly signal?: AbortSignal;
  /** Which passkey the user picks of those that fit, base64url; the newest when it names none. */
  readonly credentialId?: string;
  /** A passkey is created without asking the user, as browsers do after a sign-in with a password (conditional create). */
  readonly conditional?: boolean;
  /** The origins that `/.well-known/webauthn` of the relying party lists; asked for where the page is on another site. */
  readonly relatedOrigins?: readonly string[];
}

/** How a ceremony went on: no time passes, so one that no one answers says so. */
export type CeremonyOutcome<Response> =
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'failed'; readonly error: CeremonyError }
  | { readonly kind: 'unanswered' };

/** The outcome of a task that throws CeremonyError where the ceremony fails; other errors pass. */
export function settleCeremony<Response>(task: () => CeremonyOutcome<Response>): CeremonyOutcome<Response> {
  try {
    return task();
  } catch (error) {
    if (error instanceof CeremonyError) return { kind: 'failed', error };
    throw error;
  }
}

/**
 * An outcome as a page sees it: the response, an exception, or a promise that stays open until the signal aborts it. Throws
 * CeremonyError.
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
