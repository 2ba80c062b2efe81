import type { Warning } from '../../machines/vocabulary.ts';
import type { SandboxState } from './state.ts';

/** Returns a notice if a journal was replayed with another version of its ruleset than it records (OC35). */
export function listRulesetNotices({ ruleset, rulesetDigests }: SandboxState): readonly Warning[] {
  if (rulesetDigests === null || rulesetDigests.recorded === rulesetDigests.loaded) return [];
  const { recorded, loaded } = rulesetDigests;
  const message = `The sandbox was created with another version of the ruleset ${ruleset.id}: its journal records the digest ${recorded}, and the loaded file has ${loaded}. Its journal was replayed with the loaded file.`;
  return [{ code: 'ruleset-digest-differs', message }];
}
