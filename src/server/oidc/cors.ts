import type { Request, RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { noteFinding } from '../finding.ts';
import type { Providers } from './providers.ts';
import { createSignInError } from './tenant-form/sign-in-errors.ts';
import { getAddressForm } from './tenant-form/tenant-pages.ts';

/** Origins that can read the responses of an endpoint: all origins, or those of clients. */
interface Readable {
  readonly by: 'everybody' | 'clients';
  readonly methods: string;
}

const discovery: Readable = { by: 'everybody', methods: 'GET, HEAD' };
const byPost: Readable = { by: 'clients', methods: 'POST' };

/** Endpoints that pages of applications call. All other endpoints are for navigation or for other programs. */
const endpoints: ReadonlyMap<string, Readable> = new Map([
  ['/.well-known/openid-configuration', discovery],
  ['/.well-known/oauth-authorization-server', discovery],
  ['/oauth2/jwks', discovery],
  ['/oauth2/token', byPost],
  ['/oauth2/revoke', byPost],
  ['/oauth2/introspect', byPost],
  ['/oauth2/par', byPost],
  ['/oauth2/device', byPost],
  ['/oauth2/userinfo', { by: 'clients', methods: 'GET, HEAD, POST' }],
]);

type CorsHeaders = Readonly<Record<string, string>>;

const exposed = 'WWW-Authenticate, DPoP-Nonce, client-request-id';

/**
 * Returns the CORS headers that let an origin read a response with credentials. They never allow all origins at once.
 */
export function readableBy(origin: string): CorsHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  };
}

/**
 * Creates the handler that controls which origins can read the responses of the endpoints. It precedes all other
 * handlers, so errors have the same headers and faults do not affect preflights. It responds to preflights and rejects
 * origins that belong to no client.
 *
 * @see CL60, CL61
 * @param providers - providers of the sandboxes, which know the dynamically registered clients
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
    const text = foreignOriginText(origin);
    noteFinding(response, text);
    const body =
      getAddressForm(response) === 'plain'
        ? { error: 'invalid_request', error_description: text }
        : createSignInError(
            { error: 'invalid_request', description: text, fault: 'parameter-malformed' },
            { sandbox, request },
          );
    response.status(badRequest).set({ 'Cache-Control': 'no-store', Vary: 'Origin' }).json(body);
  };
}

const badRequest = 400;

/** Returns the error message for an origin that belongs to no client. Network logs and the server's log show it. */
export function foreignOriginText(origin: string): string {
  return `Origin ${origin} is not allowed for the client: add it to corsOrigins, or add a redirect URI with this origin.`;
}

/** Returns the CORS headers for a response that does not come from the provider. */
export function getCorsHeaders(response: Response): CorsHeaders {
  return (response.locals['cors'] as CorsHeaders | undefined) ?? {};
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Request headers that are allowed across origins: those of the protocols, and those by which libraries name themselves. */
const requestHeader =
  /^(?:authorization|content-type|dpop|client-request-id|x-client-[\w-]{1,64}|x-[a-z\d]{1,32}-user-agent(?:-[\w-]{1,64})?)$/i;

const preflightSeconds = 600;

function answerPreflight({ headers }: Request, response: Response, { methods }: Readable): void {
  const cors = getCorsHeaders(response);
  const requested = headers['access-control-request-headers'] ?? '';
  const names = requested.split(',').filter((name) => requestHeader.test(name.trim()));
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
