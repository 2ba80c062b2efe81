import { writeDeclaredValues } from '../../contract/declared-values.ts';
import { toInstant } from '../../core/clock.ts';
import { rememberOwnRuleset } from '../../journal/ruleset-registry.ts';
import { planSandbox, type SandboxPlan } from '../../sandbox/sandbox.ts';
import { limitGates } from '../rulesets/modules/limit-gates.ts';
import type { OwnScenarioPlan } from './own-scenario.ts';

/**
 * Returns the sandbox of a scenario: its ruleset, its tenant and its users as they are given. A gate module that does not
 * return is stopped, so that the run ends.
 */
export function planOwnSandbox({ ruleset, nowMs, tenant, users }: OwnScenarioPlan): SandboxPlan {
  rememberOwnRuleset(limitGates(ruleset));
  return planSandbox({
    ruleset: ruleset.id,
    clock: { nowMs, running: false },
    tenant: {
      id: tenant.id,
      subscription: tenant.subscription,
      facts: writeDeclaredValues(tenant.facts, ruleset.facts.tenant),
      settings: writeDeclaredValues(tenant.settings, ruleset.first.settings),
    },
    users: users.map(({ user: { facts, ...user }, createdAtMs }) => ({
      ...user,
      facts: writeDeclaredValues(facts, ruleset.facts.user),
      directory: { createdDateTime: toInstant(createdAtMs) },
    })),
  });
}
