import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { Visit } from '../sandbox/lease-manager.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

const prefixed = /^\/s\/([^/]+)/i;

/** Paths without a sandbox: shared files and pages, and the control API, which resolves the sandbox itself. */
export const withoutSandbox = /^\/_/;

/** Visit of a request to a sandbox, with a function to enter it again. */
interface Stay {
  readonly visit: Visit;
  readonly enterAgain: () => Promise<void>;
}

/**
 * Creates a handler that enters the sandbox in the path if several processes serve the sandboxes. The visit ends with
 * the response. Missing sandboxes are left to the routes. The control API calls `enterFor` after it has authenticated
 * the caller. Fails with `store-unavailable` or `store-corrupt`.
 */
export function enterSandbox(sandboxes: Sandboxes): RequestHandler {
  if (!sandboxes.shared) return (_request, _response, next) => next();
  return ({ path }, response, next) => {
    if (withoutSandbox.test(path)) return next();
    enterFor(sandboxes, idIn(path), response).then(
      () => next(),
      (error: unknown) => next(isUnknown(error) ? undefined : error),
    );
  };
}

/** Enters a sandbox until the response is sent. Throws the errors of entering. */
export async function enterFor(sandboxes: Sandboxes, id: string, response: Response): Promise<void> {
  if (!sandboxes.shared) return;
  const visit = await sandboxes.enter(id);
  const stay: Stay = { visit, enterAgain: () => enterFor(sandboxes, id, response) };
  response.locals['stay'] = stay;
  if (response.closed) visit.leave();
  else response.once('close', visit.leave);
}

/** Rejects requests that have not entered the sandbox. Throws `sandbox-not-found`. */
export function refuseUnentered(sandboxes: Sandboxes, id: string, response: Response): void {
  if (!sandboxes.shared || findStay(response)?.visit.sandboxId === id) return;
  throw new NudgeLabError('sandbox-not-found', { message: `Sandbox "${id}" does not exist.` });
}

/** Leaves the sandbox before the response is sent, because the remaining work needs at most the journal. */
export function leaveSandbox(response: Response): void {
  findStay(response)?.visit.leave();
}

/** Leaves the sandbox during a long task that does not affect it, and enters it again afterwards. */
export async function aside<T>(response: Response, task: () => Promise<T>): Promise<T> {
  const stay = findStay(response);
  if (stay === undefined) return task();
  stay.visit.leave();
  const result = await task();
  await stay.enterAgain();
  return result;
}

function findStay(response: Response): Stay | undefined {
  return response.locals['stay'] as Stay | undefined;
}

/** Extracts the sandbox id from a path like a route does. An id that cannot be decoded refers to no sandbox. */
export function idIn(path: string): string {
  const named = prefixed.exec(path)?.[1];
  if (named === undefined) return defaultSandboxId;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof NudgeLabError && error.code === 'sandbox-not-found';
}
