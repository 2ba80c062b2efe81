import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { Visit } from '../sandbox/lease-manager.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

const prefixed = /^\/s\/([^/]+)/i;

/** Files and pages that are the same whatever the sandbox, and the control API, which finds its sandbox itself. */
const withoutSandbox = /^\/_/;

/** A stay of a request, and how to come back. */
interface Stay {
  readonly visit: Visit;
  readonly enterAgain: () => Promise<void>;
}

/**
 * Lets each request enter the sandbox that its address names, where several processes answer for it; the stay ends with the
 * answer. A sandbox that is not there is left to the routes. The control API enters by `enterFor`, once it knows who asks.
 * Passes `store-unavailable` and `store-corrupt` on.
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

/** Enters a sandbox for as long as a request is answered. Takes its id. Throws what entering throws. */
export async function enterFor(sandboxes: Sandboxes, id: string, response: Response): Promise<void> {
  if (!sandboxes.shared) return;
  const visit = await sandboxes.enter(id);
  const stay: Stay = { visit, enterAgain: () => enterFor(sandboxes, id, response) };
  response.locals['stay'] = stay;
  if (response.closed) visit.leave();
  else response.once('close', visit.leave);
}

/** Refuses to go on in a sandbox that the request has not entered. Throws `sandbox-not-found`. */
export function refuseUnentered(sandboxes: Sandboxes, id: string, response: Response): void {
  if (!sandboxes.shared || stayOf(response)?.visit.sandboxId === id) return;
  throw new NudgeLabError('sandbox-not-found', { message: `There is no sandbox "${id}".` });
}

/** Leaves the sandbox before the answer is over: what follows needs the journal at most. */
export function leaveSandbox(response: Response): void {
  stayOf(response)?.visit.leave();
}

/** Leaves the sandbox while something takes its time that does not concern it, and enters it again. */
export async function aside<T>(response: Response, task: () => Promise<T>): Promise<T> {
  const stay = stayOf(response);
  if (stay === undefined) return task();
  stay.visit.leave();
  const result = await task();
  await stay.enterAgain();
  return result;
}

function stayOf(response: Response): Stay | undefined {
  return response.locals['stay'] as Stay | undefined;
}

/** The id in a path, as a route reads it. One that cannot be decoded names no sandbox. */
function idIn(path: string): string {
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
