import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';

/**
 * Returns the ruleset with an id.
 * @throws `fixture-not-found` if the id is unknown; the error lists the known ids
 */
export function rulesetById(id: string): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset !== undefined) return ruleset;
  const known = [...rulesets.keys()];
  const text = `Ruleset "${id}" does not exist; available: ${known.join(', ')}${suggestName(id, known)}`;
  throw new NudgeLabError('fixture-not-found', { message: endSentence(text) });
}
