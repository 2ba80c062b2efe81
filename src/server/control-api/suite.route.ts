import { Router } from 'express';
import { suiteOperations } from '../../contract/suite-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SuiteDesk } from '../suite-desk.ts';
import { serve, serveSandbox } from './serve.ts';

/** Gives the desk of the scenarios, or refuses with `suite-missing`. */
export type SuiteDeskOf = () => SuiteDesk;

/** The desk, where the server was given one. */
export function deskOf(desk: SuiteDesk | null): SuiteDeskOf {
  return () => {
    if (desk === null) throw new NudgeLabError('suite-missing');
    return desk;
  };
}

/** Scenario files: listed, read, tried and written. */
export function suiteRoutes(sandboxes: Sandboxes, desk: SuiteDeskOf): Router {
  const router = Router();
  const ask = suiteOperations;

  serve(router, ask.getSuite, () => desk().suite());
  serve(router, ask.getSuiteSchema, () => desk().schema());
  serve(router, ask.getSuiteFile, ({ query: { path } }) => desk().read(path));

  serve(router, ask.putSuiteFile, async ({ body, response }) => {
    const { isNew, ...saved } = await desk().write(body);
    if (isNew) response.status(201);
    return saved;
  });

  serve(router, ask.dryRun, ({ body: { path, text, run } }) => desk().dryRun(path, text, run));

  serveSandbox(router, sandboxes, ask.getJourneyScenario, (sandbox, { params }) =>
    desk().scenarioOf(sandbox, params.signIn),
  );

  return router;
}
