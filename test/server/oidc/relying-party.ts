import * as client from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { ApplicationBrowser, type DisplayedPage } from './application-browser.ts';
import { startMs } from './oidc-server.ts';

/** Where the application of the tests would be. Nothing listens there. */
export const application = 'http://localhost:9/callback';

/** The real time, which clients go by unless they are told another. */
const realMs = Date.now();

interface PartySetup {
  readonly id?: string;
  readonly secret?: string;
  readonly metadata?: Partial<client.ClientMetadata>;
  /** The time that the client goes by. */
  readonly nowMs?: number;
  readonly redirectUri?: string;
}

/** An authorization request that waits for its answer. */
export interface AskedFor {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** An application that signs its users in by openid-client, as its documentation says. */
export class RelyingParty {
  readonly config: client.Configuration;
  readonly redirectUri: string;

  private constructor(config: client.Configuration, redirectUri: string) {
    this.config = config;
    this.redirectUri = redirectUri;
  }

  static async discover(issuer: string, setup: PartySetup = {}): Promise<RelyingParty> {
    const { id = 'test-public', secret, metadata = {}, nowMs = startMs, redirectUri = application } = setup;
    const clockSkew = Math.round((nowMs - realMs) / 1000);
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

  /** An authorization request with state, nonce and PKCE. Takes further parameters; `null` leaves one out. */
  async ask(parameters: Readonly<Record<string, string>> = {}): Promise<AskedFor> {
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

  /** Redeems the code of an answer. */
  redeem(
    { address }: Pick<DisplayedPage, 'address'>,
    { checks }: AskedFor,
  ): ReturnType<typeof client.authorizationCodeGrant> {
    return client.authorizationCodeGrant(this.config, new URL(address), checks);
  }

  /** Signs a user in from address bar to tokens. */
  async signIn(browser = appBrowser(), parameters: Readonly<Record<string, string>> = {}) {
    const asked = await this.ask(parameters);
    return this.redeem(await browser.signIn(asked.url), asked);
  }
}

/** A fresh browser of the application. */
export function appBrowser(): ApplicationBrowser {
  return new ApplicationBrowser({ application: new URL(application).origin, jar: new CookieJar() });
}

/** What an answer at the application's address says. */
export function answerAt({ address }: Pick<DisplayedPage, 'address'>): Readonly<Record<string, string>> {
  const { searchParams, hash } = new URL(address);
  return Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);
}
