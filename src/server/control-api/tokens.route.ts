import { Router } from 'express';
import { directoryOperations } from '../../contract/control-operations.ts';
import { toInstant } from '../../core/clock.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes for access tokens of the sandbox APIs. */
export function tokenRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { issueToken, revokeToken, rotateKeys } = directoryOperations;

  serveSandbox(router, sandboxes, issueToken, ({ tokens }, { body }) => tokens.issue(body));

  serveSandbox(router, sandboxes, revokeToken, ({ tokens }, { body: { token } }) => tokens.revoke(token));

  serveSandbox(router, sandboxes, rotateKeys, async ({ tokens }, { body: { alg } }) => {
    await tokens.rotateKeys(alg);
    const keys = await tokens.keys.published();
    return {
      keys: keys.map(({ key, slot: { algorithm, status, activeFromMs, retiredAtMs } }) => ({
        kid: key.id,
        alg: algorithm,
        status,
        activeFrom: toInstant(activeFromMs),
        retiredAt: retiredAtMs === null ? null : toInstant(retiredAtMs),
      })),
    };
  });

  return router;
}
