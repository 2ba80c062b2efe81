import type { Ruleset } from '../vocabulary.ts';
import { builtInRulesets } from './built-in.ts';

/** Ids of the built-in rulesets, in order of publication. */
export const rulesetIds: readonly string[] = ['seed', '2026-09', 'announced'];

/** Built-in rulesets by id. Every verdict names the ruleset that it was evaluated with. */
export const rulesets: ReadonlyMap<string, Ruleset> = new Map(builtInRulesets.map((ruleset) => [ruleset.id, ruleset]));

/** Built-in rulesets that do not change with time, by id. */
export const datelessRulesets: ReadonlyMap<string, Ruleset> = new Map(
  [...rulesets].filter(([, { editions }]) => editions === undefined),
);
