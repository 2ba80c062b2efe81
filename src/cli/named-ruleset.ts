import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { LoadedRuleset } from '../journal/ruleset-registry.ts';
import type { RulesetChoice } from '../scenario/rulesets/ruleset-choice.ts';

/**
 * Returns the rules of a registration campaign.
 *
 * @param loaded - ruleset that an option names
 * @param command - name of the command, for errors
 * @throws NudgeLabError `usage-invalid` for a ruleset with the base `own`
 */
export function requireCampaign(loaded: LoadedRuleset, command: string): Ruleset {
  if (loaded.base === 'registration-campaign') return loaded.ruleset;
  throw new NudgeLabError('usage-invalid', {
    message: `The ruleset ${loaded.id} has the base own, and ${command} evaluates registration campaigns; run scenarios that name it.`,
  });
}

/** Returns the rules of the chosen registration campaign; those of `seed` if none is chosen. Throws `usage-invalid`. */
export function chosenCampaign({ chosen }: RulesetChoice, command: string): Ruleset {
  if (chosen !== null) return requireCampaign(chosen, command);
  const seed = rulesets.get('seed');
  if (seed === undefined) throw new RangeError('The ruleset seed is not built in.');
  return seed;
}
