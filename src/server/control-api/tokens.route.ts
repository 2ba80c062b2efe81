import { Router } from 'express';
import { directoryOperations } from '../../contract/control-operations.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes for access tokens of the sandbox APIs. */
export function tokenRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { issueToken, revokeToken } = directoryOperations;

  serveSandbox(router, sandboxes, issueToken, ({ tokens }, { body }) => tokens.issue(body));

  serveSandbox(router, sandboxes, revokeToken, ({ tokens }, { body: { token } }) => tokens.revoke(token));

  return router;
}
