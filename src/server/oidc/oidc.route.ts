import type { IncomingMessage } from 'node:http';
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { withClock } from '../../core/sandbox-date.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { type FaultListener, reportFault } from '../faults.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { noteCaller } from '../request-log.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { getCorsHeaders } from './cors.ts';
import { expandGrantType, usesDeviceGrant } from './device-grant.ts';
import { withNamedClient } from './empty-secret.ts';
import { devicePath, oidcPaths } from './oidc-paths.ts';
import type { Providers } from './providers.ts';
import { readAgain, readBody, readShortBody, withBody, withBoundedBody } from './replayed-body.ts';
import { createRequestClock } from './request-clock.ts';
import { createSignInError, type SignInErrorBody } from './tenant-form/sign-in-errors.ts';
import { getAddressForm, getPageUrl, openTenantPage } from './tenant-form/tenant-pages.ts';
import { tokenMark } from './token-prefix.ts';

/** Allowed methods of each endpoint, without paths below an endpoint. */
const methods: Readonly<Record<string, string>> = {
  '/.well-known/openid-configuration': 'GET, HEAD, OPTIONS',
  '/.well-known/oauth-authorization-server': 'GET, HEAD, OPTIONS',
  '/oauth2/authorize': 'GET, HEAD, POST',
  '/oauth2/token': 'POST, OPTIONS',
  '/oauth2/jwks': 'GET, HEAD, OPTIONS',
  '/oauth2/userinfo': 'GET, HEAD, POST, OPTIONS',
  '/oauth2/introspect': 'POST, OPTIONS',
  '/oauth2/revoke': 'POST, OPTIONS',
  '/oauth2/register': 'POST',
  '/oauth2/par': 'POST, OPTIONS',
  '/oauth2/end_session': 'GET, HEAD, POST',
  '/oauth2/device': 'POST, OPTIONS',
  '/oauth2/verify-device': 'GET, HEAD, POST',
};

/** Paths of pages for users. All other paths are for programs. */
const forPeople = /^\/oauth2\/(authorize|end_session|verify-device)(\/|$)/;

/**
 * Creates the OpenID Connect routes of all sandboxes. Discovery is at the issuer, which is the base URL of the sandbox,
 * and all other endpoints are below `/oauth2`. Every request uses the clock of its sandbox.
 */
export function oidcRoutes(
  sandboxes: Sandboxes,
  providers: Providers,
  options: { readonly onFault?: FaultListener } = {},
): Router {
  const router = Router({ mergeParams: true });
  const resolve = resolveSandbox(sandboxes);
  const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/*rest'];
  router.post(['/oauth2/introspect', '/oauth2/revoke'], resolve, markToken(providers));
  router.post(['/oauth2/authorize', '/oauth2/end_session'], resolve, askByGet);
  router.post('/oauth2/token', resolve, answerToken(providers));
  router.post(['/oauth2/end_session/confirm', '/oauth2/verify-device'], refuseForeignForm);
  router.get(devicePath, resolve, enterDeviceCode);
  router.get(['/oauth2/authorize', '/oauth2/end_session'], resolve, openTenantPage);
  router.get(['/oauth2/authorize', '/oauth2/verify-device'], resolve, askByName);
  router.get('/.well-known/openid-configuration', resolve, discoverAtOnce(providers));
  router.all(paths, refuseMethod, resolve, answerBy(providers));
  router.use([...oidcPaths], oidcErrors(options.onFault));
  return router;
}

/** Rejects forms from pages of other origins. Over HTTPS, browsers send the session with them. */
const refuseForeignForm: RequestHandler = (request, _response, next) => {
  refuseForeignOrigin(request);
  next();
};

function answerBy(providers: Providers): RequestHandler {
  return async (request, response) => {
    const sandbox = getSandbox(response);
    const { answer } = await providers.mounted(sandbox, getAddressForm(response));
    const named = await withNamedClient(await withBoundedBody(request));
    await runInTime(sandbox, response, () => answer(named, response));
  };
}

/**
 * Creates the handler that answers discovery before there is a provider, which takes longer to load than everything
 * else. The provider answers from its first request on, and requests from web pages, whose origins it knows.
 */
function discoverAtOnce(providers: Providers): RequestHandler {
  return async (request, response, next) => {
    const sandbox = getSandbox(response);
    const isPlain = request.url === '/.well-known/openid-configuration' && getAddressForm(response) === 'plain';
    const isUsual = request.method === 'GET' && request.headers.origin === undefined;
    if (!isPlain || !isUsual || providers.isMounted(sandbox)) {
      next();
      return;
    }
    const { createDiscoveryDocument } = await import('./discovery-document.ts');
    noteCaller(response, { client: null, userId: null });
    const body = JSON.stringify(createDiscoveryDocument(sandbox));
    response.writeHead(200, { ...discoveryHeaders, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
}

/** Headers that the provider sends with its discovery document. */
const discoveryHeaders = {
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
  'Content-Type': 'application/json; charset=utf-8',
};

function runInTime<T>(sandbox: Sandbox, response: Response, task: () => T): T {
  return withClock(createRequestClock(sandbox, response), task);
}

/**
 * Redirects requests to an IP address, such as 127.0.0.1, to the host name of the issuer, because cookies belong to
 * that name.
 */
const askByName: RequestHandler = ({ headers, url }, response, next) => {
  const { issuer } = getSandbox(response).tokens;
  if (headers.host === new URL(issuer).host) next();
  else response.redirect(307, `${issuer}${url}`);
};

/**
 * Creates the handler that adds a prefix to tokens. Introspection and revocation reject anything that looks like a JWT
 * without looking it up, and the prefix prevents this.
 */
function markToken(providers: Providers): RequestHandler {
  return async (request, response) => {
    const sandbox = getSandbox(response);
    const form = new URLSearchParams((await readBody(request)).toString('utf8'));
    const token = form.get('token');
    if (token !== null && token.split('.').length === 3) form.set('token', `${tokenMark}${token}`);
    const { answer } = await providers.mounted(sandbox, getAddressForm(response));
    const named = await withNamedClient(withBody(request, Buffer.from(form.toString())));
    await runInTime(sandbox, response, () => answer(named, response));
  };
}

/**
 * Redirects a request by POST to the same request by GET. A form of another site is sent without the session cookie,
 * and a navigation has it.
 */
const askByGet: RequestHandler = async (request, response) => {
  if (request.is('urlencoded') === false) {
    const { 'content-type': type = 'none' } = request.headers;
    const message = `The media type of the body is ${type}; send application/x-www-form-urlencoded.`;
    throw new NudgeLabError('unsupported-media-type', { message });
  }
  const query = (await readBody(request)).toString('utf8');
  if (query.length > queryLengthMax) {
    throw new NudgeLabError('payload-too-large', {
      message: `The form has ${query.length} characters. At most ${queryLengthMax} are allowed; push longer requests to /oauth2/par.`,
    });
  }
  response.redirect(303, `${getPageUrl(request.path, response)}?${query}`);
};

/** Maximum length of a form that becomes a query, so the request line stays within the limit for headers. */
const queryLengthMax = 8_192;

/** Redirects from the address that a device shows to the page of the provider. */
const enterDeviceCode: RequestHandler = (request, response) => {
  const { user_code: userCode } = request.query;
  const query = typeof userCode === 'string' ? `?${new URLSearchParams({ user_code: userCode })}` : '';
  response.redirect(302, `${getSandbox(response).tokens.issuer}/oauth2/verify-device${query}`);
};

/** Maximum size in bytes of token requests that the provider does not have to read. */
const shortBodyBytesMax = 4_096;

/**
 * Creates the handler of token requests. Usual requests for an application's own token are answered without the
 * provider. Sandboxes with devices accept the short name of their grant.
 */
function answerToken(providers: Providers): RequestHandler {
  return async (request, response) => {
    const sandbox = getSandbox(response);
    const { answer, answerApp } = await providers.mounted(sandbox, getAddressForm(response));
    const short = request.url === '/oauth2/token' ? await readShortBody(request, shortBodyBytesMax) : null;
    if (short !== null && (await answerApp({ headers: request.headers, body: short }, response))) return;
    if (request.destroyed && !request.complete) return;
    const bounded = short === null ? await withBoundedBody(request) : readAgain(request, short);
    const named = await withNamedClient(await withExpandedGrant(sandbox, bounded));
    await runInTime(sandbox, response, () => answer(named, response));
  };
}

/** Expands the short name of the device grant in a token request. */
async function withExpandedGrant(sandbox: Sandbox, request: IncomingMessage): Promise<IncomingMessage> {
  if (!usesDeviceGrant(sandbox)) return request;
  const body = await readBody(request);
  const expanded = expandGrantType(new URLSearchParams(body.toString('utf8')));
  return withBody(request, expanded === null ? body : Buffer.from(expanded.toString()));
}

const refuseMethod: RequestHandler = ({ method, path, originalUrl }, _response, next) => {
  const allowed = methods[path];
  if (allowed === undefined || allowed.split(', ').includes(method)) {
    next();
    return;
  }
  throw new NudgeLabError('method-not-allowed', {
    message: `${originalUrl.split('?', 1)[0]} takes ${allowed}, not ${method}.`,
    headers: { Allow: allowed },
  });
};

const internalError = 500;
const serviceUnavailable = 503;

function getOauthError(status: number): string {
  if (status === serviceUnavailable) return 'temporarily_unavailable';
  return status >= internalError ? 'server_error' : 'invalid_request';
}

/** Converts an error to that of the tenant form (CL18). */
function toSignInError(
  { error, error_description: description }: { readonly error: string; readonly error_description: string },
  response: Response,
): SignInErrorBody {
  const sandbox = (getSandbox(response) as Sandbox | undefined) ?? null;
  return createSignInError({ error, description, fault: null }, { sandbox, request: response.req });
}

/** Creates the error handler that uses the OAuth 2.0 error format for programs. Pages for users use the error pages. */
export function oidcErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // An address in the tenant form continues at the path of the endpoint below its sandbox.
    const path = `${request.baseUrl}${request.path}`.replace(/^\/s\/[^/]+/, '');
    if (response.headersSent || forPeople.test(path)) {
      next(error);
      return;
    }
    reportFault(onFault, request, error);
    const { code, publicMessage, status, headers } =
      error instanceof NudgeLabError ? error : new NudgeLabError('internal-error');
    const body = { error: getOauthError(status), error_description: publicMessage };
    response
      .status(status)
      .set({ ...headers, 'Cache-Control': 'no-store', ...getCorsHeaders(response) })
      .json(getAddressForm(response) === 'plain' ? { ...body, code } : toSignInError(body, response));
  };
}
