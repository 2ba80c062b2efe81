import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  type ApiVersion,
  apiVersions,
  type DirectoryApiRequest,
  type DirectoryApiResponse,
} from '../../sandbox/directory-api/directory-exchange.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { afterCommit } from '../after-commit.ts';
import { meetsLineFault } from '../connection-faults.ts';
import type { FaultListener } from '../faults.ts';
import { authenticateAdministrator } from '../policy-api/authenticate.ts';
import { readJson } from '../policy-api/json-body.ts';
import { policyErrors } from '../policy-api/policy-answers.ts';
import { noteRecorded } from '../request-log.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { createApiHeaders, preflightHeaders } from './api-headers.ts';
import { getApiRoot } from './api-root.ts';
import { passkeyRegistrar } from './passkey-registrar.ts';

/**
 * Creates the router of the directory API, which answers all paths below an API version that no other router has
 * answered. All errors have the format of this API.
 *
 * @param onFault - listener for unexpected errors
 */
export function directoryApi(sandboxes: Sandboxes, { onFault }: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  const resolve = resolveSandbox(sandboxes);
  for (const version of apiVersions) {
    router.use(`/${version}`, resolve, meetFaults, answer(version), policyErrors(onFault));
  }
  return router;
}

const meetFaults: RequestHandler = (request, response, next) => {
  // The requests of a batch meet faults one by one.
  const isBatch = request.path.toLowerCase().replace(/\/$/, '') === '/$batch';
  if (isBatch || !meetsLineFault('directory', { request, response, next })) next();
};

function answer(version: ApiVersion): RequestHandler {
  return async (request, response) => {
    const sandbox = getSandbox(response);
    const { directoryRequests } = sandbox;
    const path = readPath(request);
    if (request.method === 'OPTIONS') return sendMethods(response, await directoryRequests.methods(path, version));
    const answered = await afterCommit(sandbox, () =>
      directoryRequests.handle(createRequest(request, response, { version, path })),
    );
    send(response, answered);
  };
}

function createRequest(
  request: Request,
  response: Response,
  { version, path }: Pick<DirectoryApiRequest, 'version' | 'path'>,
): DirectoryApiRequest {
  const { headers, method, originalUrl } = request;
  const sandbox = getSandbox(response);
  const queryAt = originalUrl.indexOf('?');
  let caller: ReturnType<typeof authenticateAdministrator> | undefined;
  return {
    method: method === 'HEAD' ? 'GET' : method,
    version,
    path,
    query: queryAt === -1 ? '' : originalUrl.slice(queryAt + 1),
    headers: {
      accept: headers.accept,
      consistencyLevel: readHeader(headers['consistencylevel']),
      prefer: readHeader(headers['prefer']),
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    },
    root: getApiRoot(request, {
      version,
      prefix: request.baseUrl.slice(0, -`/${version}`.length),
      publicRoot: sandbox.directory.settings().directory?.publicRoot,
    }),
    passkeys: passkeyRegistrar(request, sandbox),
    // A proof is accepted once, and the requests of a batch share the caller.
    authenticate: async () => {
      caller ??= authenticateAdministrator(request, response);
      return caller;
    },
    readBody: () => readJson(request),
    onRecorded: (seq) => noteRecorded(response, seq),
  };
}

/** Returns the path below the version as sent. */
function readPath({ originalUrl, baseUrl }: Request): string {
  const [path = ''] = originalUrl.split('?', 1);
  return path.slice(path.indexOf(baseUrl) + baseUrl.length);
}

function readHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}

function sendMethods(response: Response, allow: string): void {
  const headers = { ...createApiHeaders(response.req), ...preflightHeaders };
  response.writeHead(204, { ...headers, 'Access-Control-Allow-Methods': allow, Allow: allow }).end();
}

function send(response: Response, { status, headers, body }: DirectoryApiResponse): void {
  const always = { ...createApiHeaders(response.req), ...headers };
  if (body === null) {
    response.writeHead(status, always).end();
    return;
  }
  const bytes = 'bytes' in body ? body.bytes : Buffer.from('json' in body ? JSON.stringify(body.json) : body.text);
  response.writeHead(status, { ...always, 'Content-Length': bytes.length });
  response.end(bytes);
}
