import { Router } from 'express';
import { suiteOperations } from '../../contract/suite-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SuiteService } from '../suite-service.ts';
import { serve, serveSandbox } from './serve.ts';

/** Function that returns the suite service, or throws `suite-missing`. */
export type GetSuiteService = () => SuiteService;

/** Returns a function that provides the suite service or throws `suite-missing` if the server has none. */
export function requireSuiteService(service: SuiteService | null): GetSuiteService {
  return () => {
    if (service === null) throw new NudgeLabError('suite-missing');
    return service;
  };
}

/** Creates the routes that list, read, dry-run, and save scenario files. */
export function suiteRoutes(sandboxes: Sandboxes, service: GetSuiteService): Router {
  const router = Router();
  const ask = suiteOperations;

  serve(router, ask.getSuite, () => service().suite());
  serve(router, ask.getSuiteSchema, () => service().schema());
  serve(router, ask.getSuiteFile, ({ query: { path } }) => service().read(path));

  serve(router, ask.putSuiteFile, async ({ body, response }) => {
    const { isNew, ...saved } = await service().write(body);
    if (isNew) response.status(201);
    return saved;
  });

  serve(router, ask.dryRun, ({ body: { path, text, run } }) => service().dryRun(path, text, run));

  serveSandbox(router, sandboxes, ask.getJourneyScenario, (sandbox, { params }) =>
    service().createScenario(sandbox, params.signIn),
  );

  return router;
}
