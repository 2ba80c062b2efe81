import { builtInFiles } from '../../machines/rulesets/built-in.ts';
import type { UsedRuleset } from '../contract/result.schema.ts';
import { findLoadedDigest } from '../journal/ruleset-registry.ts';
import type { Scenario } from './scenario.ts';

/** Lists the rulesets that evaluate scenarios, in the order of the scenarios, with the digests of their files (OC35). */
export function listUsedRulesets(scenarios: readonly Scenario[]): readonly UsedRuleset[] {
  const used = new Map<string, UsedRuleset>();
  for (const { plan, own } of scenarios) {
    const id = own?.ruleset.id ?? plan.ruleset;
    const digest = own?.ruleset.digest ?? findDigest(id);
    if (digest !== null) used.set(`${id} ${digest}`, { ruleset: id, digest });
  }
  return [...used.values()];
}

function findDigest(id: string): string | null {
  return builtInFiles.find((file) => file.id === id)?.digest ?? findLoadedDigest(id);
}
