import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { HttpClient } from './http-client.ts';

/** What a tab shows after something was done in it. */
export interface Shown {
  /** Status of the latest answer. */
  readonly status: number;
  readonly page: string;
  /** Whether a prompt has a button to put it off; `null` on pages that are no prompt. */
  readonly skippable: boolean | null;
  /** Pages gone through between second factor and the first page that asks for an answer. */
  readonly interstitials: readonly string[];
  /** The message that the page shows of what was wrong; `null` when nothing was. */
  readonly error: string | null;
  readonly signInId: string | null;
  readonly snoozesLeftShown: number | null;
}

/** Who signs in, and with what. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  /** What answers when the page asks for a passkey; asked for only then. */
  readonly authenticator?: () => Promise<SoftwareAuthenticator>;
  /** Refuses what the step says of the second factor, where it cannot be asked for; called when its page is first shown. */
  readonly checkFactor?: () => Promise<void>;
  /** What is chosen at "Sign in another way" for the second factor. */
  readonly otherWay?: MfaMethod | undefined;
  /** Has the passkeys that the user picks from on the first page; without it the user enters a name and a password. */
  readonly offering?: (() => Promise<SoftwareAuthenticator>) | undefined;
}

/** The passkey that a set-up makes: by which authenticator, and on which device. */
export interface MadePasskey {
  readonly authenticator: SoftwareAuthenticator;
  readonly deviceId: string;
}

export interface BrowserOptions {
  readonly client: HttpClient;
  /** Address of the sandbox, without a slash at the end. */
  readonly baseUrl: string;
  /** Cookies; the tabs of one browser share a jar. */
  readonly jar?: CookieJar;
  /** The origin of the page that uses passkeys, where it is not that of the server. */
  readonly origin?: string | null;
}
