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
    const all = new Set([...unknown, ...(past.isFresh ? [] : this.#listUnknown({ state, past }, attempts, facts))]);
    const text = [...all].toSorted().join();
    const known = this.#resolved.get(text);
    if (known !== undefined) return known;
    const resolved = resolveRules(this.#ruleset, all);
    this.#resolved.set(text, resolved);
    return resolved;
  }

  /** Lists what the ledger keeps and the log has not stored, for sign-ins and open prompts. */
  #listUnknown({ state, past }: OpenState, attempts: readonly OwnAttempt[], facts: OwnerFacts): readonly string[] {
    const ofLedger = attempts.flatMap((attempt) => {
      const keys = ledgerKeys({ ...facts, attempt }, rulesAt(this.#ruleset, attempt.nowMs));
      const first = state.ledger.get(keys[0]?.key ?? '');
      const times = { lastShownAt: first?.lastShownAtMs, answeredAt: first?.answeredAtMs, doneAt: first?.doneAtMs };
      const missing = Object.entries(times).flatMap(([name, atMs]) => (atMs == null ? [`kept.${name}`] : []));
      const isCounted = keys.some(({ key }) => past.entries.get(key)?.qualifying !== undefined);
      return isCounted ? [...missing, countedSignIns] : missing;
    });
    const ofPrompts = getOwnUser(state, ownLogUser).prompts.flatMap(({ earlier }) => [
      ...(earlier.previousSignInAtMs === null ? ['kept.previousSignInAt'] : []),
      ...(earlier.lastShownAtMs === null ? ['kept.lastShownAt'] : []),
    ]);
    return [...ofLedger, ...ofPrompts];
  }
}
