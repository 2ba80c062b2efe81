import { listReads } from '../../../machines/own/condition.ts';
import type { DurationOperand, Operand, OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { allRules } from './own-space.ts';

/**
 * Lists the paths of the facts of a sign-in that still have an effect after its prompt was shown: those that requirement,
 * limit, deadline and completion read. Gates are evaluated at the sign-in alone.
 *
 * @param ruleset - own ruleset
 * @returns the paths, or `null` if every fact can have an effect, because variants are drawn again
 */
export function listLaterFacts(ruleset: OwnRuleset): readonly string[] | null {
  const rules = allRules(ruleset);
  if (rules.some(({ rollout }) => rollout !== null && rollout.variants.length > 0)) return null;
  const paths = rules.flatMap(listLaterReads).filter((path) => path.startsWith('attempt.'));
  return [...new Set(paths)].toSorted();
}

function listLaterReads({ requirement, limit, deadline, completion }: OwnRules): readonly string[] {
  const conditions = [requirement.required, requirement.blocked, limit?.when ?? null];
  const ends = (deadline?.ends ?? []).flatMap((end): readonly (Operand | DurationOperand)[] => {
    if ('at' in end) return [end.at];
    return typeof end.since === 'object' ? [end.after, end.since] : [end.after];
  });
  const values = [...completion.set, ...completion.add].flatMap(({ value }) => (value === 'now' ? [] : [value]));
  const operands = [...ends, ...values, ...(limit === null ? [] : [limit.at]), ...[deadline?.opens ?? []].flat()];
  return [
    ...conditions.flatMap((condition) => (condition === null ? [] : listReads(condition))),
    ...operands.flatMap((operand) => ('fact' in operand ? [operand.fact] : [])),
  ];
}
