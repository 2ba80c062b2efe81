import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { refuseUnentered } from './enter-sandbox.ts';

/**
 * Finds the sandbox that a request is for: the one that `:sandbox` names, or the default one where the address has no prefix.
 * The next handlers ask `getSandbox`. Passes `sandbox-not-found` on to the error handler of the router it stands in.
 */
export function resolveSandbox(sandboxes: Sandboxes): RequestHandler {
  return (request, response, next) => {
    const named = request.params['sandbox'];
    const id = typeof named === 'string' ? named : defaultSandboxId;
    refuseUnentered(sandboxes, id, response);
    response.locals['sandbox'] = sandboxes.get(id);
    next();
  };
}

/** The sandbox of a request that went through `resolveSandbox`. */
export function getSandbox(response: Response): Sandbox {
  return response.locals['sandbox'] as Sandbox;
}
