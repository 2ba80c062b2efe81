import { Router } from 'express';
import { getRule } from '../../../machines/rules/rule-registry.ts';
import { questionOperations } from '../../contract/control-operations.ts';
import type { ResponseBody, rulesResponse } from '../../contract/control-responses.schema.ts';
import { describeObservation } from '../../contract/coverage-evidence.ts';
import { type CataloguedRule, ruleCatalogue } from '../../contract/rule-catalogue.ts';
import { rulesetNamed } from '../../journal/ruleset-lookup.ts';
import { usersRequiredNext } from '../../sandbox/policy-warnings.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { RulesetService } from '../ruleset-service.ts';
import { campaignWarnings } from './campaign-warnings.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes for the effective campaign and the rules of the sandbox. */
export function campaignRoutes(sandboxes: Sandboxes, rulesets: RulesetService): Router {
  const router = Router();
  const { getCampaign, listRules, previewCampaign } = questionOperations;

  serveSandbox(router, sandboxes, getCampaign, ({ directory, recorder }) => {
    const state = recorder.state();
    const { requiredAtNextSignIn, stillSnoozing } = usersRequiredNext(state);
    return {
      setting: directory.tenant().campaign.state,
      campaign: directory.campaign(),
      warnings: [...campaignWarnings(state), ...directory.warnings()],
      requiredAtNextSignIn: { users: requiredAtNextSignIn, stillSnoozing },
    };
  });

  serveSandbox(router, sandboxes, previewCampaign, (sandbox, { body: { patch, attempt, rollout } }) =>
    sandbox.previewPolicy(patch, attempt, rollout),
  );

  serveSandbox(router, sandboxes, listRules, ({ ruleset }) => {
    const { id, order } = rulesetNamed(ruleset);
    return {
      ruleset: id,
      rulesets: rulesets.registry.list().map((one) => one.id),
      rules: ruleCatalogue.map((rule) => ruleView(rule, order)),
    };
  });

  return router;
}

function ruleView(rule: CataloguedRule, order: readonly string[]): ResponseBody<typeof rulesResponse>['rules'][number] {
  const { id, summary, kind, gate = null, confirmedBy } = rule;
  const place = gate === null ? 0 : order.indexOf(gate) + 1;
  const { source, reasons } = gate === null ? { source: [id], reasons: [] } : getRule(gate);
  const observable = confirmedBy.map(describeObservation).join('; or ');
  return { id, summary, kind, gate, place: place === 0 ? null : place, source, reasons, observable };
}
