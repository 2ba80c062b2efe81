import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';

/** The ruleset of an id. Throws `fixture-not-found` with those there are. */
export function rulesetById(id: string): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset !== undefined) return ruleset;
  const known = [...rulesets.keys()].join(', ');
  throw new NudgeLabError('fixture-not-found', { message: `There is no ruleset "${id}"; there are ${known}.` });
}
