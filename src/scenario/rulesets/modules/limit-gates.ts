import { isModuleGate, type ModuleGate, type OwnRules, type OwnRuleset } from '../../../../machines/own/own-ruleset.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { TimeOver, withinTime } from '../../../core/time-limit.ts';

/** Time in milliseconds after which one call of a gate module is stopped. */
const gateCallMsMax = 5_000;

/** Rulesets with limited gates by the original. */
const limited = new WeakMap<OwnRuleset, OwnRuleset>();

/**
 * Returns a ruleset whose gate modules are stopped when a call does not return. Each call takes about 0.2 ms more, which
 * does not matter to the sign-ins of scenarios, but to forecasts.
 *
 * @param ruleset - loaded ruleset
 * @param limitMs - maximum time in milliseconds of one call
 * @returns the ruleset, whose modules throw `gate-failed` after the time. One without modules is returned unchanged
 */
export function limitGates(ruleset: OwnRuleset, limitMs: number = gateCallMsMax): OwnRuleset {
  const rules = [ruleset.first, ...ruleset.editions.map((edition) => edition.rules)];
  if (!rules.some(({ gates }) => gates.some(isModuleGate))) return ruleset;
  const known = limited.get(ruleset);
  if (known !== undefined) return known;
  const limitRules = (given: OwnRules): OwnRules => ({
    ...given,
    gates: given.gates.map((gate) => (isModuleGate(gate) ? limitGate(gate, ruleset.id, limitMs) : gate)),
  });
  const changed: OwnRuleset = {
    ...ruleset,
    first: limitRules(ruleset.first),
    editions: ruleset.editions.map(({ rules: given, ...edition }) => ({ ...edition, rules: limitRules(given) })),
  };
  limited.set(ruleset, changed);
  return changed;
}

function limitGate(gate: ModuleGate, rulesetId: string, limitMs: number): ModuleGate {
  return {
    ...gate,
    evaluate: (read) => {
      try {
        return withinTime(limitMs, () => gate.evaluate(read));
      } catch (error) {
        if (!(error instanceof TimeOver)) throw error;
        throw new NudgeLabError('gate-failed', {
          message: `The gate ${gate.id} (${gate.module}) of the ruleset ${rulesetId} does not return; its call was stopped after ${limitMs / 1_000} s.`,
          publicMessage: `The gate ${gate.id} of the ruleset ${rulesetId} does not return.`,
          cause: error,
        });
      }
    },
  };
}
