import { Router, type RouterOptions } from 'express';
import { probeOperations } from '../../contract/probe-operations.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Readiness } from '../readiness.ts';
import { serve } from './serve.ts';

/**
 * Creates the routes for health checks and readiness checks.
 *
 * @param readiness - readiness of the server. Without it, the server is always ready
 * @param options - spellings of the paths that the routes respond to
 */
export function probeRoutes(
  sandboxes: Sandboxes,
  readiness: Readiness | undefined,
  options: RouterOptions = {},
): Router {
  const router = Router(options);
  serve(router, probeOperations.getHealth, () => ({ status: 'ok' as const, sandboxes: sandboxes.list().length }));
  serve(router, probeOperations.getReadiness, async () => {
    await readiness?.refuseUnready();
    return { status: 'ready' as const };
  });
  return router;
}
