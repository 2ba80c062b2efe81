import type { Request, RequestHandler, Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { acceptsPlainJson } from '../../sandbox/directory-api/accepted-json.ts';
import { apiVersions } from '../../sandbox/directory-api/directory-exchange.ts';
import { requireWriter } from '../../sandbox/policy-access.ts';
import type { PolicyView } from '../../sandbox/policy-projection.ts';
import type { PolicyResponse } from '../../sandbox/policy-service.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Caller } from '../../sandbox/token-service.ts';
import { afterCommit } from '../after-commit.ts';
import { meetsLineFault } from '../connection-faults.ts';
import { exactly, onlyIf } from '../deferred-routes.ts';
import { getApiRoot } from '../directory-api/api-root.ts';
import type { FaultListener } from '../faults.ts';
import { inOrder } from '../in-order.ts';
import { noteRecorded } from '../request-log.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { authenticateAdministrator } from './authenticate.ts';
import { readJson } from './json-body.ts';
import { policyErrors, sendAnswer, sendMethods } from './policy-answers.ts';

const isPolicy = exactly(...apiVersions.map((version) => `/${version}/policies/authenticationMethodsPolicy`));
const methods = 'GET, HEAD, PATCH, OPTIONS';

/**
 * Creates the handler of the policy API, which reads and updates the authentication methods policy of a sandbox. All
 * errors have the format of this API. Other requests pass.
 *
 * @param onFault - listener for unexpected errors
 */
export function policyApi(
  sandboxes: Sandboxes,
  { onFault }: { readonly onFault?: FaultListener } = {},
): RequestHandler {
  const handle = inOrder(resolveSandbox(sandboxes), meetFaults, answer);
  const sendError = policyErrors(onFault);
  return onlyIf(isPolicy, (request, response, next) =>
    handle(request, response, (error?: unknown) => {
      if (error === undefined) return next();
      try {
        sendError(error, request, response, next);
      } catch (thrown) {
        next(thrown);
      }
    }),
  );
}

const meetFaults: RequestHandler = (request, response, next) => {
  if (!meetsLineFault('policy', { request, response, next })) next();
};

const answer: RequestHandler = (request, response, next) =>
  (handlers.get(request.method) ?? refuseMethod)(request, response, next);

/** Returns the policy. A token that was already verified needs no asynchronous work. */
const readPolicy: RequestHandler = (request, response) => {
  const sandbox = getSandbox(response);
  const { 'if-none-match': ifNoneMatch, accept } = request.headers;
  const isPlain = acceptsPlainJson(accept);
  const caller = authenticateAdministrator(request, response);
  const read = (known: Caller) =>
    sendWhenSafe(
      response,
      sandbox.policy.read(known, { query: getQuery(request), ifNoneMatch, view: getView(request, response) }),
      isPlain,
    );
  return caller instanceof Promise ? caller.then(read) : read(caller);
};

const updatePolicy: RequestHandler = async (request, response) => {
  const sandbox = getSandbox(response);
  const { policy } = sandbox;
  const { 'if-match': ifMatch, prefer, accept } = request.headers;
  const isPlain = acceptsPlainJson(accept);
  const caller = await authenticateAdministrator(request, response);
  // Access is checked before the body is read, so unauthorized callers cannot make the server read one.
  requireWriter(caller);
  const body = await readJson(request);
  const options = {
    query: getQuery(request),
    ifMatch,
    prefer: asOneHeader(prefer),
    view: getView(request, response),
    onRecorded: (seq: number) => noteRecorded(response, seq),
  };
  const answer = await afterCommit(sandbox, () => policy.update(caller, body, options));
  sendAnswer(response, answer, isPlain);
};

const tellMethods: RequestHandler = (_request, response) => sendMethods(response, methods);

const refuseMethod: RequestHandler = ({ method }) => {
  throw new NudgeLabError('method-not-allowed', {
    message: `The policy does not support ${method}; allowed: ${methods}.`,
    headers: { Allow: methods },
  });
};

const handlers: ReadonlyMap<string, RequestHandler> = new Map([
  ['GET', readPolicy],
  ['HEAD', readPolicy],
  ['PATCH', updatePolicy],
  ['OPTIONS', tellMethods],
]);

/** Returns the address and version that a request reaches the policy by. */
function getView(request: Request, response: Response): PolicyView {
  const match = versionInPath.exec(request.originalUrl);
  const version = match?.[2]?.toLowerCase() === 'beta' ? 'beta' : 'v1.0';
  const publicRoot = getSandbox(response).directory.settings().directory?.publicRoot;
  return { version, root: getApiRoot(request, { version, prefix: match?.[1] ?? '', publicRoot }) };
}

/** The path of the sandbox, and the version. */
const versionInPath = /^(\/s\/[^/?]+)?\/(v1\.0|beta)\//i;

/** Returns the original query without the question mark. */
function getQuery({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at + 1);
}

/** Sends a state only after the store has saved it, because data that a client has seen must survive a crash. */
function sendWhenSafe(response: Response, answer: PolicyResponse, isPlain: boolean): void | Promise<void> {
  const pending = getSandbox(response).settled();
  if (pending === null) return sendAnswer(response, answer, isPlain);
  return pending.then(() => sendAnswer(response, answer, isPlain));
}

function asOneHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}
