import type { CeremonyContext, CeremonyOutcome } from '../../../authenticators/ceremony.ts';
import { ceremonyNote } from '../../../authenticators/ceremony-note.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson, SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { ObservedCeremony, ObservedSignals } from '../../driver.ts';
import type { HttpClient } from './http-client.ts';

/** Request of a page to an authenticator. */
export type CeremonyRequest =
  | { readonly type: 'create'; readonly options: CreationOptionsJson }
  | { readonly type: 'get'; readonly options: RequestOptionsJson };

/**
 * Runs the passkey ceremonies of one tab. An authenticator responds as in a browser, and the last ceremony is
 * recorded.
 */
export class Ceremonies {
  readonly #origin: string | null;
  readonly #relatedOrigins: () => Promise<readonly string[]>;
  #last: ObservedCeremony | null = null;

  /**
   * Creates the ceremonies of a tab.
   *
   * @param origin - origin of the page that uses passkeys, or `null` if it is the page of the server
   * @param relatedOrigins - function that returns the related origins of the server
   */
  constructor(origin: string | null, relatedOrigins: () => Promise<readonly string[]>) {
    this.#origin = origin;
    this.#relatedOrigins = relatedOrigins;
  }

  /** Runs a ceremony on a page. `conditional` is true if the browser starts it automatically. */
  async hold(
    pageOrigin: string,
    authenticator: SoftwareAuthenticator,
    request: CeremonyRequest,
    conditional = false,
  ): Promise<CeremonyOutcome<object>> {
    const relatedOrigins = this.#origin === null ? [] : await this.#relatedOrigins();
    const context: CeremonyContext = { origin: this.#origin ?? pageOrigin, relatedOrigins, conditional };
    const outcome: CeremonyOutcome<object> =
      request.type === 'create'
        ? authenticator.answerCreation(request.options, context)
        : authenticator.answerRequest(request.options, context);
    this.#last = ceremonyNote({ ...request, context, outcome });
    return outcome;
  }

  /** Returns the last ceremony since the previous call, or `null` if there was none. */
  take(): ObservedCeremony | null {
    const last = this.#last;
    this.#last = null;
    return last;
  }
}

/** Converts the signals of a page to the form that scenarios expect. */
export function observedSignals(signals: SignalsJson | null): ObservedSignals {
  const { unknownCredential, allAcceptedCredentials, currentUserDetails } = signals ?? {};
  return {
    unknownCredential: unknownCredential !== undefined,
    allAcceptedCredentials: allAcceptedCredentials?.allAcceptedCredentialIds.length ?? null,
    currentUserDetails:
      currentUserDetails === undefined
        ? null
        : { name: currentUserDetails.name, displayName: currentUserDetails.displayName },
  };
}

/** Returns the related origins of a server, requested as a browser does. `baseUrl` is the URL of the sandbox. */
export async function relatedOrigins(client: HttpClient, baseUrl: string): Promise<readonly string[]> {
  const { status, text } = await client.send({ method: 'GET', url: `${baseUrl}/.well-known/webauthn` });
  return status === okStatus ? ((JSON.parse(text) as { origins?: string[] }).origins ?? []) : [];
}

const okStatus = 200;
