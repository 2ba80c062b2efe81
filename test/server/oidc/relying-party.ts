import * as client from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { ApplicationBrowser, type DisplayedPage } from './application-browser.ts';
import { startMs } from './oidc-server.ts';

/** Redirect URI of the test application. No server listens there. */
export const application = 'http://localhost:9/callback';

interface PartySetup {
  readonly id?: string;
  readonly secret?: string;
  readonly metadata?: Partial<client.ClientMetadata>;
  /** Current time of the client, in milliseconds. */
  readonly nowMs?: number;
  readonly redirectUri?: string;
}

/** Authorization request without a response yet. */
export interface AuthorizationRequest {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** Application that signs in its users with openid-client, as its documentation shows. */
export class RelyingParty {
  readonly config: client.Configuration;
  readonly redirectUri: string;

  private constructor(config: client.Configuration, redirectUri: string) {
    this.config = config;
    this.redirectUri = redirectUri;
  }

  static async discover(issuer: string, setup: PartySetup = {}): Promise<RelyingParty> {
    const { id = 'test-public', secret, metadata = {}, nowMs = startMs, redirectUri = application } = setup;
    const clockSkew = Math.round((nowMs - Date.now()) / 1000);
    const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
    const config = await client.discovery(
      new URL(issuer),
      id,
      { ...metadata, [client.clockSkew]: clockSkew },
      authentication,
      { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
    );
    return new RelyingParty(config, redirectUri);
  }

  /**
   * Creates an authorization request with state, nonce and PKCE. A further parameter replaces a default, and `null`
   * omits it.
   */
  async ask(parameters: Readonly<Record<string, string>> = {}): Promise<AuthorizationRequest> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(this.config, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...parameters,
    });
    return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
  }

  /** Redeems the code of an authorization response. */
  redeem(
    { address }: Pick<DisplayedPage, 'address'>,
    { checks }: AuthorizationRequest,
  ): ReturnType<typeof client.authorizationCodeGrant> {
    return client.authorizationCodeGrant(this.config, new URL(address), checks);
  }

  /** Signs in a user, from the authorization request to the tokens. */
  async signIn(browser = appBrowser(), parameters: Readonly<Record<string, string>> = {}) {
    const request = await this.ask(parameters);
    return this.redeem(await browser.signIn(request.url), request);
  }
}

/** Creates a new browser for the application. */
export function appBrowser(): ApplicationBrowser {
  return new ApplicationBrowser({ application: new URL(application).origin, jar: new CookieJar() });
}

/** Returns the parameters of an authorization response in the URL of the application. */
export function answerAt({ address }: Pick<DisplayedPage, 'address'>): Readonly<Record<string, string>> {
  const { searchParams, hash } = new URL(address);
  return Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);
}
