import type { CeremonyContext, CeremonyOutcome } from '../../../authenticators/ceremony.ts';
import { ceremonyNote } from '../../../authenticators/ceremony-note.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson, SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { ObservedCeremony, ObservedSignals } from '../../driver.ts';
import type { HttpClient } from './http-client.ts';

/** What a page asks an authenticator for. */
export type Asked =
  | { readonly type: 'create'; readonly options: CreationOptionsJson }
  | { readonly type: 'get'; readonly options: RequestOptionsJson };

/** The passkey ceremonies of one tab: has an authenticator answer as a browser would, and notes the last one. */
export class Ceremonies {
  readonly #origin: string | null;
  readonly #relatedOrigins: () => Promise<readonly string[]>;
  #last: ObservedCeremony | null = null;

  /**
   * Takes the origin of the page that uses passkeys, `null` where that is the page of the server, and what tells the origins that
   * the server lists as related.
   */
  constructor(origin: string | null, relatedOrigins: () => Promise<readonly string[]>) {
    this.#origin = origin;
    this.#relatedOrigins = relatedOrigins;
  }

  /** Holds a ceremony on a page. Takes its origin, the authenticator, what is asked for, and whether the user is asked. */
  async hold(
    pageOrigin: string,
    authenticator: SoftwareAuthenticator,
    asked: Asked,
    conditional = false,
  ): Promise<CeremonyOutcome<object>> {
    const relatedOrigins = this.#origin === null ? [] : await this.#relatedOrigins();
    const context: CeremonyContext = { origin: this.#origin ?? pageOrigin, relatedOrigins, conditional };
    const outcome: CeremonyOutcome<object> =
      asked.type === 'create'
        ? authenticator.answerCreation(asked.options, context)
        : authenticator.answerRequest(asked.options, context);
    this.#last = ceremonyNote({ ...asked, context, outcome });
    return outcome;
  }

  /** The last ceremony since this was asked before; `null` when there was none. */
  take(): ObservedCeremony | null {
    const last = this.#last;
    this.#last = null;
    return last;
  }
}

/** What the signals of a page say, as scenarios look at them. */
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

/** The origins that a server lists as related, as a browser asks for them. Takes the address of the sandbox. */
export async function relatedOrigins(client: HttpClient, baseUrl: string): Promise<readonly string[]> {
  const { status, text } = await client.send({ method: 'GET', url: `${baseUrl}/.well-known/webauthn` });
  return status === okStatus ? ((JSON.parse(text) as { origins?: string[] }).origins ?? []) : [];
}

const okStatus = 200;
