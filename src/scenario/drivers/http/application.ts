import type { Client } from '../../../contract/client.schema.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { hashToken, newSecret } from '../../../core/secrets.ts';
import type { ApplicationRequest } from '../../application-session.ts';
import type { HttpClient } from './http-client.ts';

/** Authorization request in progress. */
export interface AuthorizationRequest {
  /** URL to which the application redirects the browser. */
  readonly address: string;
  /** Start of the URL for the response. */
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
  /** Expected errors of the request: the user rejects it, or no response is possible without a page. */
  readonly refusals: readonly string[];
}

/** Default redirect URI of an application without a registered one. Nothing listens there. */
const loopbackRedirect = 'http://localhost:9/callback';

/** Error that an application receives if its user rejects the request. */
const refusal = 'access_denied';

/** Errors that an application receives if it requests a response without a page and none is possible. */
const silentRefusals: readonly string[] = ['login_required', 'consent_required', 'interaction_required'];

/** Formats the name of an authentication context class. */
const toAcr = (name: string): string => `urn:nudgelab:acr:${name}`;

/**
 * Client of the sandbox that acts as an application: it requests sign-ins with the code flow and PKCE, and redeems
 * the codes.
 */
export class Application {
  readonly #client: Client;
  readonly #http: HttpClient;
  readonly #issuer: string;
  #discovered: Promise<Readonly<Record<string, unknown>>> | null = null;

  /** Creates an application. `issuer` is the URL of the sandbox without a trailing slash. */
  constructor(client: Client, http: HttpClient, issuer: string) {
    this.#client = client;
    this.#http = http;
    this.#issuer = issuer;
  }

  /** Returns the display name of the application on pages. */
  get name(): string {
    return this.#client.name ?? this.#client.id;
  }

  /** Creates an authorization request. The suggested user is given by username. */
  async ask({ prompt, maxAge, acrValues, loginHint }: ApplicationRequest): Promise<AuthorizationRequest> {
    const [verifier, state] = [newSecret(), newSecret()];
    // Every driver can return from a web URL, so it is preferred.
    const { redirectUris } = this.#client;
    const redirectUri = redirectUris.find((uri) => /^https?:/.test(uri)) ?? redirectUris[0] ?? loopbackRedirect;
    const address = new URL(await this.#endpoint('authorization_endpoint'));
    const parameters = {
      client_id: this.#client.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: Buffer.from(hashToken(verifier), 'hex').toString('base64url'),
      code_challenge_method: 'S256',
      state,
      ...(prompt === undefined ? {} : { prompt }),
      ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
      ...(acrValues === undefined ? {} : { acr_values: toAcr(acrValues) }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    if (loginHint !== undefined) address.searchParams.set('login_hint', loginHint);
    const refusals = prompt === 'none' ? silentRefusals : [refusal];
    return { address: address.href, redirectUri, verifier, state, refusals };
  }

  /** Returns the URL that signs the user out. `afterwards` is the URL to which the browser returns. */
  async signOutAddress(afterwards: string | undefined): Promise<string> {
    const address = new URL(await this.#endpoint('end_session_endpoint'));
    address.searchParams.set('client_id', this.#client.id);
    if (afterwards !== undefined) address.searchParams.set('post_logout_redirect_uri', afterwards);
    return address.href;
  }

  /**
   * Reads the authorization response and redeems its code. Returns the user in the ID token, or `null` if the user
   * rejected the request or no response was possible without a page. Throws `driver-failed` for any other response.
   */
  async findUser(
    { redirectUri, state, verifier, refusals }: AuthorizationRequest,
    answerAddress: string,
  ): Promise<string | null> {
    const answer = new URL(answerAddress).searchParams;
    if (answer.get('state') !== state) throw failed('received a response that does not match its request');
    const error = answer.get('error');
    if (error !== null && refusals.includes(error)) return null;
    if (error !== null) throw failed(`received the error ${error}: ${answer.get('error_description') ?? ''}`);
    const form = {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(this.#client.secret === undefined ? { client_id: this.#client.id } : {}),
    };
    const { status, text } = await this.#http.send({
      method: 'POST',
      url: await this.#endpoint('token_endpoint'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...this.#authorization() },
      body: new URLSearchParams(form).toString(),
    });
    const subject = status === 200 ? findSubject(text) : null;
    if (subject === null)
      throw failed(`received no ID token for its code, but ${status}: ${text.slice(0, errorTextMax)}`);
    return subject;
  }

  #authorization(): Record<string, string> {
    const { id, secret } = this.#client;
    if (secret === undefined) return {};
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }

  async #endpoint(name: string): Promise<string> {
    this.#discovered ??= this.#discover();
    const address = (await this.#discovered)[name];
    if (typeof address === 'string') return address;
    throw failed(`found no ${name} in the discovery document of ${this.#issuer}`);
  }

  async #discover(): Promise<Readonly<Record<string, unknown>>> {
    const url = `${this.#issuer}/.well-known/openid-configuration`;
    const { status, text } = await this.#http.send({ method: 'GET', url });
    if (status === 200) return JSON.parse(text) as Readonly<Record<string, unknown>>;
    throw failed(`found no discovery document at ${url} (status ${status})`);
  }
}

/** Maximum number of characters of a response in an error message. */
const errorTextMax = 300;

function findSubject(text: string): string | null {
  try {
    const { id_token: token } = JSON.parse(text) as { readonly id_token?: string };
    const payload = Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { sub } = JSON.parse(payload) as { readonly sub?: unknown };
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

function failed(what: string): NudgeLabError {
  return new NudgeLabError('driver-failed', { message: `The application ${what}.` });
}
