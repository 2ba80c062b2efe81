import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { FaultyEndpoint } from '../contract/fault.schema.ts';
import { afterDelay } from '../core/clock.ts';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import type { LineFault } from '../sandbox/fault-injector.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { cutBeforeAnswer, cutMidBody } from './cut-connection.ts';
import { aside } from './enter-sandbox.ts';
import type { FailureAnswer } from './fault-answers.ts';
import { getSandbox } from './resolve-sandbox.ts';

/** Endpoints by path. The policy API is missing because its own router applies its faults. */
const endpoints: readonly (readonly [RegExp, FaultyEndpoint])[] = [
  [/^\/sign-in(?:\/|$)/i, 'sign-in'],
  [/^\/oauth2\/authorize(?:\/|$)/i, 'authorize'],
  [/^\/oauth2\/token\/?$/i, 'token'],
  [/^\/oauth2\/userinfo\/?$/i, 'userinfo'],
  [/^\/oauth2\/jwks\/?$/i, 'jwks'],
  [/^\/oauth2\/device\/?$/i, 'device-authorization'],
  [/^\/(?:oauth2\/verify-)?device(?:\/|$)/i, 'device-verification'],
];

/**
 * Creates a handler that applies connection and response faults to pages and OpenID endpoints: delays, server errors,
 * rate limits, and connection resets. Sandboxes without such faults cost only one check.
 */
export function lineFaults(sandboxes: Sandboxes): RequestHandler {
  return (request, response, next) => {
    const named = request.params['sandbox'];
    const id = typeof named === 'string' ? named : defaultSandboxId;
    if (!(sandboxes.has(id) && sandboxes.get(id).faults.onLine)) return next();
    const sandbox = sandboxes.get(id);
    const endpoint = endpoints.find(([path]) => path.test(request.path))?.[1];
    const fault = endpoint === undefined ? null : sandbox.faults.ofEndpoint(endpoint);
    if (endpoint === undefined || fault === null) return next();
    response.locals['sandbox'] = sandbox;
    meet(fault, { endpoint, request, response, next });
  };
}

/**
 * Applies the faults of an endpoint to a request, for routers that resolve the sandbox themselves. Returns `false`
 * without any effect if the endpoint has no fault.
 */
export function meetsLineFault(endpoint: FaultyEndpoint, { request, response, next }: Meeting): boolean {
  const { faults } = getSandbox(response);
  const fault = faults.onLine ? faults.ofEndpoint(endpoint) : null;
  if (fault === null) return false;
  meet(fault, { endpoint, request, response, next });
  return true;
}

interface Meeting {
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
}

function meet({ delayMs, end }: LineFault, meeting: Meeting & { readonly endpoint: FaultyEndpoint }): void {
  if (delayMs === 0) {
    finish(end, meeting);
    return;
  }
  const { response, next } = meeting;
  // A delayed request must not block other requests of the sandbox.
  aside(response, () => delayed(delayMs, response)).then(() => {
    if (!response.destroyed) finish(end, meeting);
  }, next);
}

/** Resolves after a delay or when the client disconnects. */
function delayed(delayMs: number, response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = afterDelay(delayMs, resolve);
  response.once('close', () => {
    cancel();
    resolve();
  });
  return promise;
}

function finish(end: LineFault['end'], meeting: Meeting & { readonly endpoint: FaultyEndpoint }): void {
  const { endpoint, response, next } = meeting;
  if (end === null) {
    next();
    return;
  }
  if (end.kind === 'connection-reset') {
    if (end.when === 'before-answer') return cutBeforeAnswer(response);
    cutMidBody(response);
    return next();
  }
  const answer: FailureAnswer =
    end.kind === 'server-error'
      ? { status: end.status, headers: {} }
      : { status: tooManyRequests, headers: { 'Retry-After': String(end.retryAfterSeconds) } };
  import('./fault-answers.ts').then(({ sendFailure }) => sendFailure(endpoint, answer, response)).catch(next);
}

const tooManyRequests = 429;
