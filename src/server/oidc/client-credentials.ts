import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import type Provider from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import { type ClientAuthMethod, listAuthMethods } from '../../contract/client-auth-methods.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getFailedAttempts } from '../identity/failed-attempt-store.ts';
import { noteCaller } from '../request-log.ts';
import { describeAppToken, writeToken } from './access-tokens.ts';
import { fixtureClient, hasAppGrant } from './clients.ts';
import { accessSeconds } from './configuration.ts';
import { warnOfLargeTokens } from './configured-claims.ts';
import { requiresDpopNonce } from './dpop.ts';
import type { AnswerApp, ProviderParts } from './provider-parts.ts';

/** Request for an application's own token that names its client and its secret once. */
interface AppRequest {
  readonly clientId: string;
  readonly secret: string;
  readonly method: ClientAuthMethod;
  readonly scope: string | undefined;
}

/**
 * Creates the function that responds to usual requests for an application's own token like the provider, which takes
 * three times as long. The provider responds to all other requests, such as one with an error, a proof, or a fault, and
 * nothing has happened by then.
 *
 * @see CL33
 */
export function createAppAnswers(provider: Provider, parts: ProviderParts): AnswerApp {
  const issue = createIssuer(provider, parts);
  return async ({ headers, body }, response) => {
    const request = parts.form === null ? readRequest(headers, body) : null;
    // After a failure, the provider fails in the same way and reports it.
    const answer = request === null ? null : await issue(request).catch(() => null);
    if (request === null || answer === null) return false;
    noteCaller(response, { client: request.clientId, userId: null });
    warnOfLargeTokens({ res: response }, answer);
    const text = JSON.stringify(answer);
    response.writeHead(200, { ...answerHeaders, 'Content-Length': Buffer.byteLength(text) }).end(text);
    return true;
  };
}

type TokenAnswer = Readonly<Record<'scope' | 'access_token' | 'token_type', string> & Record<'expires_in', number>>;

/** Creates the function that issues a token. Resolves to `null` if the provider has to. */
function createIssuer(provider: Provider, parts: ProviderParts): (request: AppRequest) => Promise<TokenAnswer | null> {
  const { sandbox } = parts;
  const createId = getIdGenerator(provider);
  const accepted = new WeakSet<Client>();
  /** Returns `true` if the provider accepts the metadata of a client, such as its redirect URIs. */
  const isAccepted = async (client: Client): Promise<boolean> => {
    if (!accepted.has(client) && (await provider.Client.find(client.id)) !== undefined) accepted.add(client);
    return accepted.has(client);
  };
  return async (request) => {
    const { clientId } = request;
    const client = fixtureClient(sandbox, clientId);
    if (client === null || mayDiffer(sandbox) || !mayRequest(client, request) || !(await isAccepted(client)))
      return null;
    // Failed attempts can delay a correct secret.
    if (!(await getFailedAttempts(sandbox)).isEmpty()) return null;
    const { scope, ...described } = describeAppToken(parts, clientId, request.scope);
    const expiration = accessSeconds(sandbox, { clientId });
    const token = await writeToken(parts, { jti: createId(), clientId, scope, expiration }, described);
    return { scope, access_token: token, expires_in: expiration, token_type: 'Bearer' };
  };
}

/** Returns the function that creates the ids of the provider's tokens. */
function getIdGenerator({ ClientCredentials }: Provider): () => string {
  const { prototype } = ClientCredentials as unknown as { readonly prototype: { generateTokenId(): string } };
  const token = { kind: 'ClientCredentials' };
  return () => prototype.generateTokenId.call(token);
}

/** Headers that the provider sends with a token. */
const answerHeaders = {
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
  'cache-control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
};

/** Headers by which a response depends on more than the client and the scope. */
const furtherHeaders = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'];

const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;
const parameters: readonly string[] = ['grant_type', 'client_id', 'client_secret', 'scope'];

/** Reads a usual request. Returns `null` for any other request. */
function readRequest(headers: IncomingHttpHeaders, body: Buffer): AppRequest | null {
  if (!formType.test(headers['content-type'] ?? '') || furtherHeaders.some((name) => name in headers)) return null;
  const form = parse(body.toString('utf8'));
  for (const name in form) if (!parameters.includes(name) || typeof form[name] !== 'string') return null;
  const { grant_type: grantType, client_id: clientId, client_secret: secret, scope } = form as FormValues;
  if (grantType !== 'client_credentials') return null;
  if (headers.authorization === undefined) {
    if (clientId === undefined || secret === undefined) return null;
    return { clientId, secret, method: 'client_secret_post', scope };
  }
  const basic = readBasic(headers.authorization);
  if (basic === null || secret !== undefined || (clientId ?? basic.clientId) !== basic.clientId) return null;
  return { ...basic, method: 'client_secret_basic', scope };
}

type FormValues = Readonly<Record<string, string | undefined>>;

const basicForm = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

/** Credentials that are the same with and without form encoding. */
const plainCredentials = /^([\w.~-]+):([\w.~-]+)$/;

function readBasic(authorization: string): Pick<AppRequest, 'clientId' | 'secret'> | null {
  const [, encoded = ''] = basicForm.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  const [, clientId, secret] = plainCredentials.exec(text) ?? [];
  if (clientId === undefined || secret === undefined) return null;
  return Buffer.from(text, 'latin1').toString('base64') === encoded ? { clientId, secret } : null;
}

/** Returns `true` if settings or faults of a sandbox can change the response. */
function mayDiffer(sandbox: Sandbox): boolean {
  const { faults, settings } = sandbox.recorder.state();
  return faults.length > 0 || settings.identity?.listDefaultScope === true || requiresDpopNonce(sandbox);
}

/** Returns `true` if a client can get its own tokens without a proof, and has authenticated itself. */
function mayRequest(client: Client, { method, secret }: AppRequest): boolean {
  if (client.secret === undefined || client.dpop === 'required' || !hasAppGrant(client)) return false;
  return listAuthMethods(client).includes(method) && sameSecret(secret, client.secret);
}
