import { ledgerKeys } from '../../../machines/own/ledger.ts';
import type { OwnAttempt } from '../../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser } from '../../../machines/own/own-state.ts';
import { countedSignIns, resolveRules } from './open-rules.ts';
import type { OpenState, OwnerFacts } from './open-state.ts';
import { ownLogUser } from './own-steps.ts';

/** Rulesets in which the unknown facts are decided, each combination of unknown facts once. */
export class ResolvedRules {
  readonly #ruleset: OwnRuleset;
  readonly #resolved = new Map<string, readonly OwnRuleset[]>();

  constructor(ruleset: OwnRuleset) {
    this.#ruleset = ruleset;
  }

  /** Returns the rulesets for a state: what its ledger keeps is unknown until it was stored in the log. */
  resolve(
    { state, past }: OpenState,
    attempts: readonly OwnAttempt[],
    facts: OwnerFacts,
    unknown: ReadonlySet<string>,
  ): readonly OwnRuleset[] {
    if (past.isFresh && unknown.size === 0) return [this.#ruleset];
    const all = new Set(unknown);
    for (const attempt of past.isFresh ? [] : attempts) {
      const keys = ledgerKeys({ ...facts, attempt }, rulesAt(this.#ruleset, attempt.nowMs));
      const first = state.ledger.get(keys[0]?.key ?? '');
      if ((first?.lastShownAtMs ?? null) === null) all.add('kept.lastShownAt');
      if ((first?.answeredAtMs ?? null) === null) all.add('kept.answeredAt');
      if ((first?.doneAtMs ?? null) === null) all.add('kept.doneAt');
      if (keys.some(({ key }) => past.entries.get(key)?.qualifying !== undefined)) all.add(countedSignIns);
    }
    if (!past.isFresh) for (const path of listUnknownEarlier(state)) all.add(path);
    const text = [...all].toSorted().join();
    const known = this.#resolved.get(text);
    if (known !== undefined) return known;
    const resolved = resolveRules(this.#ruleset, all);
    this.#resolved.set(text, resolved);
    return resolved;
  }
}

/** Lists the facts that are unknown when the open prompts of a user are answered. */
function listUnknownEarlier(state: OpenState['state']): readonly string[] {
  return getOwnUser(state, ownLogUser).prompts.flatMap(({ earlier }) => [
    ...(earlier.previousSignInAtMs === null ? ['kept.previousSignInAt'] : []),
    ...(earlier.lastShownAtMs === null ? ['kept.lastShownAt'] : []),
  ]);
}
