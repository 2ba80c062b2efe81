import type { Deadline } from '../../../machines/own/own-ruleset.ts';
import type { Formula } from '../language/formula.ts';
import { all, any, fact, previously } from '../language/formula-builder.ts';
import { formatReached, type IsReached } from './condition-formula.ts';

/**
 * Translates the end of a deadline to a formula about the state before a sign-in.
 *
 * @returns the formula; `null` for an end that is no fact or setting, such as a time since the first showing
 */
export function describeDeadline({ ends, choose, boundary, measure }: Deadline, isReached: IsReached): Formula | null {
  if (measure === 'date') return null;
  const paths = ends.map((end) => {
    if (!('at' in end)) return null;
    if ('fact' in end.at)
      return end.at.fact.startsWith('attempt.') || end.at.fact.startsWith('kept.') ? null : end.at.fact;
    return 'setting' in end.at ? `tenant.settings.${end.at.setting}` : null;
  });
  const known = paths.filter((path) => path !== null);
  if (known.length < paths.length) return null;
  const over = boundary === 'inclusive' ? ['past', 'now'] : ['past'];
  if (choose === 'earliest') return any(...known.map((path) => formatReached(path, over, isReached)));
  return all(
    any(...known.map((path) => previously(fact(path).isNot(null)))),
    ...known.map((path) => formatReached(path, [...over, null], isReached)),
  );
}
