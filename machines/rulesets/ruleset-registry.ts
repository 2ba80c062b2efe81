import type { Ruleset } from '../vocabulary.ts';
import { september2026Ruleset } from './2026-09.ts';
import { seedRuleset } from './seed.ts';

/** Built-in rulesets by id. Every verdict names the ruleset that it was evaluated with. */
export const rulesets: ReadonlyMap<string, Ruleset> = new Map(
  [seedRuleset, september2026Ruleset].map((ruleset) => [ruleset.id, ruleset]),
);

/** Ids of the built-in rulesets, in order of publication. */
export const rulesetIds: readonly string[] = [...rulesets.keys()];
