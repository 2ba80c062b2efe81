import type { Given } from '../../../machines/own/condition.ts';
import { ledgerKeys } from '../../../machines/own/ledger.ts';
import type { OwnAttempt } from '../../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { collectInput, endsAtMs, getOwnUser } from '../../../machines/own/own-state.ts';
import { divide, type Interval, type LedgerParts, type OpenField, type OpenPast, representative } from './open-past.ts';
import { type OpenState, type OwnerFacts, withCreation, withField } from './open-state.ts';
import { ownLogUser } from './own-steps.ts';

/** What a step can depend on. */
interface Dependence {
  readonly ruleset: OwnRuleset;
  readonly facts: OwnerFacts;
  readonly attempts: readonly OwnAttempt[];
  readonly atMs: number;
}

/** Returns `true` if nothing that a comparison could divide is open. */
export function isKnown({ createdAt, entries }: OpenPast): boolean {
  return createdAt.lo === createdAt.hi && [...entries.values()].every((open) => Object.keys(open).length === 0);
}

/** Divides a state at the values of open fields at which a comparison changes. */
export function divideState(
  parts: LedgerParts,
  before: OpenState,
  { ruleset, facts, attempts, atMs }: Dependence,
): readonly OpenState[] {
  const { state, past } = before;
  const owner = getOwnUser(state, ownLogUser);
  const ends = owner.prompts.map((prompt) => prompt.leftAtMs ?? endsAtMs(ruleset, prompt));
  const times = [...new Set([atMs, ...ends.filter((endMs) => endMs <= atMs)])];
  const givens = attempts.flatMap((attempt) => {
    const { kept } = collectInput(state, owner, attempt).facts;
    return times.map(
      (nowMs): Given => ({
        facts: { ...facts, attempt: { ...attempt, nowMs }, kept },
        rules: rulesAt(ruleset, nowMs),
      }),
    );
  });
  const cut = (field: OpenField | 'createdAt', interval: Interval): readonly Interval[] =>
    divide(
      interval,
      givens.flatMap((given) => parts.listCuts(field, interval, given, owner.prompts.length)),
    );
  let states: readonly OpenState[] = [before];
  const keys = attempts.flatMap((attempt) => ledgerKeys({ ...facts, attempt }, rulesAt(ruleset, atMs)));
  const used = new Set([...keys, ...owner.prompts.flatMap((prompt) => prompt.keys)].map(({ key }) => key));
  for (const [key, open] of past.entries) {
    if (!used.has(key)) continue;
    for (const [field, interval] of Object.entries(open) as [OpenField, Interval][]) {
      const pieces = cut(field, interval);
      if (pieces.length > 1) states = states.flatMap((one) => pieces.map((piece) => withField(one, key, field, piece)));
    }
  }
  if (!parts.usesCreation) return states;
  return states.flatMap((one) =>
    cut('createdAt', past.createdAt).map((piece) => ({
      state: withCreation(one.state, representative('createdAt', piece)),
      past: { ...one.past, createdAt: piece },
    })),
  );
}
