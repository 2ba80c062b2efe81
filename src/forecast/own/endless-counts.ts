import type { Operand, OwnRules } from '../../../machines/own/own-ruleset.ts';
import { NotCompiled } from './not-compiled.ts';

/** Returns true for kept facts that are counts. */
export function isCount(fact: string): boolean {
  return fact === 'kept.signIns' || fact === 'kept.shown';
}

/** Refuses counts that nothing bounds, because no constant is compared with them. Throws `NotCompiled`. */
export function refuseEndlessCounts({ limit, cadence, rollout, completion }: OwnRules): void {
  const refuse = (path: readonly string[], operand: Operand | 'now' | null | undefined): void => {
    if (typeof operand !== 'object' || operand === null || !('fact' in operand) || !isCount(operand.fact)) return;
    throw new NotCompiled('RC2', path, `${operand.fact} grows without end`);
  };
  refuse(['limit', 'of'], limit?.at);
  refuse(['cadence', 'signIns'], cadence.signIns);
  refuse(['rollout', 'percent'], rollout?.percent);
  for (const { value } of completion.set) refuse(['completion', 'set'], value);
}
