import { Router } from 'express';
import { directoryOperations } from '../../contract/control-operations.ts';
import { toInstant } from '../../core/clock.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { LogoutTokens } from '../oidc/logout-tokens.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes for access tokens of the sandbox APIs, and for the sessions and logout tokens of applications. */
export function tokenRoutes(sandboxes: Sandboxes, logout: LogoutTokens | null): Router {
  const router = Router();
  const { issueToken, revokeToken, rotateKeys, listLogoutTokens, revokeSessions } = directoryOperations;

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
  serveSandbox(router, sandboxes, listLogoutTokens, async (sandbox) => ({
    logoutTokens: ((await logout?.list(sandbox)) ?? []).map(({ clientId, userId, uri, token, issuedAt, delivery }) => ({
      client: clientId,
      user: userId,
      uri,
      logoutToken: token,
      issuedAt,
      delivery,
    })),
  }));

  serveSandbox(router, sandboxes, revokeSessions, async (sandbox, { params }) => ({
    sessions: (await logout?.revokeSessions(sandbox, params.user)) ?? 0,
  }));

  return router;
}
