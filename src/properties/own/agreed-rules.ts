import type { OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { allRules } from '../../generate/own/own-space.ts';

/** Returns a part of the rules if all editions state the same; otherwise `null`. */
export function findAgreed<T>(ruleset: OwnRuleset, read: (rules: OwnRules) => T): T | null {
  const [first, ...others] = allRules(ruleset).map(read);
  const isSame = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  return isSame ? (first ?? null) : null;
}
