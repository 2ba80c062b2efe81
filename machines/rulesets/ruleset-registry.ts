import type { Ruleset } from '../vocabulary.ts';
import { september2026Ruleset } from './2026-09.ts';
import { seedRuleset } from './seed.ts';

/** The rulesets that ship, by id; every verdict names the one it was evaluated by. */
export const rulesets: ReadonlyMap<string, Ruleset> = new Map(
  [seedRuleset, september2026Ruleset].map((ruleset) => [ruleset.id, ruleset]),
);

/** Ids of the rulesets that ship, in order of appearance. */
export const rulesetIds: readonly string[] = [...rulesets.keys()];
