import type { Request, RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Providers } from './providers.ts';

/** Who may read what an endpoint answers: pages of any origin, or those of the clients' origins. */
interface Readable {
  readonly by: 'everybody' | 'clients';
  readonly methods: string;
}

const discovery: Readable = { by: 'everybody', methods: 'GET, HEAD' };
const byPost: Readable = { by: 'clients', methods: 'POST' };

/** Endpoints that pages of applications call. All others are for browsers to go to, or for programs. */
const endpoints: ReadonlyMap<string, Readable> = new Map([
  ['/.well-known/openid-configuration', discovery],
  ['/.well-known/oauth-authorization-server', discovery],
  ['/oauth2/jwks', discovery],
  ['/oauth2/token', byPost],
  ['/oauth2/revoke', byPost],
  ['/oauth2/introspect', byPost],
  ['/oauth2/par', byPost],
  ['/oauth2/userinfo', { by: 'clients', methods: 'GET, HEAD, POST' }],
]);

type CorsHeaders = Readonly<Record<string, string>>;

const exposed = 'WWW-Authenticate, DPoP-Nonce, client-request-id';

/** Lets a page of an origin read an answer, also where its request carried cookies; never every origin at once. */
export function readableBy(origin: string): CorsHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  };
}

/**
 * Decides which pages may read what the endpoints answer, before anything else does: an answer of any status is read by the same
 * pages, and a preflight meets no fault. Answers preflights, and refuses requests of origins that no client has. Takes the
 * sandboxes, and their providers, which know the clients that registered themselves.
 */
export function crossOrigin(sandboxes: Sandboxes, providers: Providers): RequestHandler {
  return async (request, response, next) => {
    const { origin } = request.headers;
    const endpoint = endpoints.get(request.path.toLowerCase());
    const named = request.params['sandbox'];
    const id = typeof named === 'string' ? named : defaultSandboxId;
    if (origin === undefined || endpoint === undefined || !sandboxes.has(id)) return next();
    const sandbox = sandboxes.get(id);
    const mayRead = endpoint.by === 'everybody' || (await providers.knowsOrigin(sandbox, origin));
    if (mayRead) response.locals['cors'] = readableBy(origin);
    if (isPreflight(request)) return answerPreflight(request, response, endpoint);
    if (mayRead) return next();
    response.status(badRequest).set({ 'Cache-Control': 'no-store', Vary: 'Origin' }).json(foreignOrigin(origin));
  };
}

const badRequest = 400;

/** What a request of an origin is told that its client does not have; only the log of the network shows it. */
export function foreignOriginText(origin: string): string {
  return `No client of this request has the origin ${origin}: add it to corsOrigins, or redirect to an address of it.`;
}

function foreignOrigin(origin: string): object {
  return { error: 'invalid_request', error_description: foreignOriginText(origin) };
}

/** The headers about other origins for an answer that is no answer of the provider. */
export function getCorsHeaders(response: Response): CorsHeaders {
  return (response.locals['cors'] as CorsHeaders | undefined) ?? {};
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Headers that a request may carry. */
const requestHeader = /^(?:authorization|content-type|dpop|client-request-id|x-client-[\w-]{1,64})$/i;

const preflightSeconds = 600;

function answerPreflight({ headers }: Request, response: Response, { methods }: Readable): void {
  const cors = getCorsHeaders(response);
  const asked = headers['access-control-request-headers'] ?? '';
  const names = asked.split(',').filter((name) => requestHeader.test(name.trim()));
  const allowed = {
    'Access-Control-Allow-Methods': methods,
    ...(names.length === 0 ? {} : { 'Access-Control-Allow-Headers': names.map((name) => name.trim()).join(', ') }),
    'Access-Control-Max-Age': String(preflightSeconds),
  };
  const isAllowed = 'Access-Control-Allow-Origin' in cors;
  response
    .writeHead(204, { Vary: 'Origin, Access-Control-Request-Headers', ...(isAllowed ? { ...cors, ...allowed } : {}) })
    .end();
}
