import { Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import type { CountedTransition } from '../../contract/coverage-evidence.ts';
import { listRowsMax } from '../../core/limits.ts';
import { listTransitions } from '../../sandbox/executed-transitions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { journalPage } from './journal.route.ts';
import { serveSandbox } from './serve.ts';

/**
 * Creates the route that returns verdict, nudge status, journal, and transitions in one response. Tests need them after
 * their last step, and the overhead of separate requests exceeds the work itself.
 */
export function observationsRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  serveSandbox(router, sandboxes, questionOperations.getObservations, async (sandbox, { body }) => {
    const { signIn, user, deleteSandbox } = body;
    const verdict = signIn === undefined ? null : sandbox.signIns.verdict(signIn);
    const nudgeStatus = user === undefined ? null : sandbox.directory.nudgeStatus(user);
    const journal = body.journal ? await journalPage(sandbox, { after: 0, limit: listRowsMax }) : null;
    const transitions = body.transitions ? await readTransitions(sandbox) : null;
    const mustContinue = (journal !== null && journal.next !== null) || (body.transitions && transitions === null);
    const deleted = deleteSandbox && !mustContinue;
    if (deleted) await sandboxes.remove(sandbox.id);
    return { verdict, nudgeStatus, journal, transitions, deleted };
  });
  return router;
}

/** Returns the transitions in the journal of a sandbox, or `null` if replaying it would delay other requests. */
async function readTransitions(sandbox: Sandbox): Promise<readonly CountedTransition[] | null> {
  const entries = await sandbox.journal({ after: 0, limit: listRowsMax + 1 });
  return entries.length > listRowsMax ? null : listTransitions(entries);
}
