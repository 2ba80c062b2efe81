import { Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import { listRowsMax } from '../../core/limits.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { journalPage } from './journal.route.ts';
import { serveSandbox } from './serve.ts';

/**
 * Creates the route that returns verdict, nudge status, and journal in one response. Tests need all of them after their
 * last step, and the overhead of separate requests exceeds the work itself.
 */
export function observationsRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  serveSandbox(router, sandboxes, questionOperations.getObservations, async (sandbox, { body }) => {
    const { signIn, user, deleteSandbox } = body;
    const verdict = signIn === undefined ? null : sandbox.signIns.verdict(signIn);
    const nudgeStatus = user === undefined ? null : sandbox.directory.nudgeStatus(user);
    const journal = body.journal ? await journalPage(sandbox, { after: 0, limit: listRowsMax }) : null;
    const deleted = deleteSandbox && (journal === null || journal.next === null);
    if (deleted) await sandboxes.remove(sandbox.id);
    return { verdict, nudgeStatus, journal, deleted };
  });
  return router;
}
