import type { Client } from '../../../contract/client.schema.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { hashToken, newSecret } from '../../../core/secrets.ts';
import type { ApplicationRequest } from '../../application-session.ts';
import type { HttpClient } from './http-client.ts';

/** An authorization request that is in progress. */
export interface AuthorizationRequest {
  /** Where the application sends the browser. */
  readonly address: string;
  /** Where the answer goes, as its beginning. */
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
  /** Errors that are answers to it: the user has refused, or there is none without a page. */
  readonly refusals: readonly string[];
}

/** Where an application without a registered address would be on this machine. Nothing listens there. */
const loopbackRedirect = 'http://localhost:9/callback';

/** The error with which an application hears that its user has refused. */
const refusal = 'access_denied';

/** What an application hears that wants an answer without a page, and there is none. */
const silentRefusals: readonly string[] = ['login_required', 'consent_required', 'interaction_required'];

/** What the classes of authentication are called. */
const acrOf = (name: string): string => `urn:nudgelab:acr:${name}`;

/** A client of the sandbox as an application: it asks for sign-ins by code with PKCE, and redeems the codes. */
export class Application {
  readonly #client: Client;
  readonly #http: HttpClient;
  readonly #issuer: string;
  #discovered: Promise<Readonly<Record<string, unknown>>> | null = null;

  /** Takes the client, connections, and the address of the sandbox without a slash at the end. */
  constructor(client: Client, http: HttpClient, issuer: string) {
    this.#client = client;
    this.#http = http;
    this.#issuer = issuer;
  }

  /** What pages call the application. */
  get name(): string {
    return this.#client.name ?? this.#client.id;
  }

  /** Asks for a sign-in. Takes what it asks for besides, the suggested user by name. */
  async ask({ prompt, maxAge, acrValues, loginHint }: ApplicationRequest): Promise<AuthorizationRequest> {
    const [verifier, state] = [newSecret(), newSecret()];
    // An address of the web is one that every driver can come back from.
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
      ...(acrValues === undefined ? {} : { acr_values: acrOf(acrValues) }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    if (loginHint !== undefined) address.searchParams.set('login_hint', loginHint);
    const refusals = prompt === 'none' ? silentRefusals : [refusal];
    return { address: address.href, redirectUri, verifier, state, refusals };
  }

  /** Where the application sends the browser to sign its user out. Takes where it wants the browser then. */
  async signOutAddress(afterwards: string | undefined): Promise<string> {
    const address = new URL(await this.#endpoint('end_session_endpoint'));
    address.searchParams.set('client_id', this.#client.id);
    if (afterwards !== undefined) address.searchParams.set('post_logout_redirect_uri', afterwards);
    return address.href;
  }

  /**
   * Reads the answer at the application's address, and redeems its code. Returns the user that the ID token names; `null` where the
   * user has refused, or there is no answer without a page. Throws `driver-failed` for any other answer.
   */
  async userOf(
    { redirectUri, state, verifier, refusals }: AuthorizationRequest,
    answerAddress: string,
  ): Promise<string | null> {
    const answer = new URL(answerAddress).searchParams;
    if (answer.get('state') !== state) throw failed('hears an answer that is none to its request');
    const error = answer.get('error');
    if (error !== null && refusals.includes(error)) return null;
    if (error !== null) throw failed(`hears the error ${error}: ${answer.get('error_description') ?? ''}`);
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
    const subject = status === 200 ? subjectOf(text) : null;
    if (subject === null) throw failed(`gets no ID token for its code, but ${status}: ${text.slice(0, errorTextMax)}`);
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
    throw failed(`finds no ${name} in the discovery document of ${this.#issuer}`);
  }

  async #discover(): Promise<Readonly<Record<string, unknown>>> {
    const url = `${this.#issuer}/.well-known/openid-configuration`;
    const { status, text } = await this.#http.send({ method: 'GET', url });
    if (status === 200) return JSON.parse(text) as Readonly<Record<string, unknown>>;
    throw failed(`finds no discovery document at ${url}, which answers ${status}`);
  }
}

/** How much of an answer a failure shows. */
const errorTextMax = 300;

function subjectOf(text: string): string | null {
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
