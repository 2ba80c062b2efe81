import { type Condition, type FactAtom, isDataGate, type OwnRules } from './own-ruleset.ts';

/** Returns the conditions of rules. */
export function listConditions({ trigger, gates, done, requirement, limit }: OwnRules): readonly Condition[] {
  const ofGates = gates.filter(isDataGate).flatMap(({ when, skipIf }) => [when, skipIf]);
  const all = [trigger.factors, ...ofGates, done, requirement.required, requirement.blocked, limit?.when ?? null];
  return all.filter((condition) => condition !== null);
}

/** Returns the comparisons of a condition with facts. */
export function listAtoms(condition: Condition): readonly FactAtom[] {
  if ('all' in condition) return condition.all.flatMap(listAtoms);
  if ('any' in condition) return condition.any.flatMap(listAtoms);
  if ('not' in condition) return listAtoms(condition.not);
  return 'atom' in condition ? [condition.atom] : [];
}

/** Returns true if a condition counts sign-ins in a window. */
export function countsSignIns(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(countsSignIns);
  if ('any' in condition) return condition.any.some(countsSignIns);
  return 'not' in condition ? countsSignIns(condition.not) : 'signIns' in condition;
}
