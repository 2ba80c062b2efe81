import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { refuseUnentered } from './enter-sandbox.ts';

/**
 * Creates the handler that resolves the sandbox of a request: the one in `:sandbox`, or the default one if the path has
 * no prefix. Later handlers call `getSandbox`. Fails with `sandbox-not-found` if the sandbox does not exist.
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

/** Returns the sandbox that `resolveSandbox` has set for a request. */
export function getSandbox(response: Response): Sandbox {
  return response.locals['sandbox'] as Sandbox;
}
