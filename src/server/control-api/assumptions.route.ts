import { Router } from 'express';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import { assumptions } from '../../contract/assumptions.ts';
import { questionOperations } from '../../contract/control-operations.ts';
import type { assumptionsResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { describeObservation } from '../../contract/coverage-evidence.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { findSwitch, switchesPatch } from './assumption-switches.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes that list the assumptions with their evidence and settings, and change the settings. */
export function assumptionRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { listAssumptions, putAssumptions } = questionOperations;

  serveSandbox(router, sandboxes, listAssumptions, ({ directory }) => assumptionsView(directory.tenant()));

  serveSandbox(router, sandboxes, putAssumptions, async ({ directory }, { body }) => {
    const patch = switchesPatch(body, directory.tenant());
    return assumptionsView(await directory.patchTenant(patch, 'control-api'));
  });

  return router;
}

function assumptionsView(tenant: TenantFacts): ResponseBody<typeof assumptionsResponse> {
  return {
    assumptions: assumptions.map(({ id, question, answer, confirmedBy }) => ({
      id,
      question,
      answer,
      observable: confirmedBy.map(describeObservation).join('; or '),
      switch: findSwitch(id, tenant),
    })),
  };
}
