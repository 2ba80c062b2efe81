import { listFactPaths, readingsFrom } from './campaign-facts.ts';
import { holds, nameReads } from './own/condition.ts';
import type { Condition } from './own/condition-data.ts';
import { type GateFacts, met, notApplicable, type Rule, stopped } from './rules/rule.ts';
import { getRule } from './rules/rule-registry.ts';
import type { DataGate, EvaluatedFacts, Reason, RuleId, Ruleset, RulesetExtension } from './vocabulary.ts';

/** Function that finds a built-in gate by its id. */
export type GateLookup = (id: RuleId) => Rule;

/**
 * Returns the rules in force at a time in milliseconds: those of the last edition that has begun, or the ruleset itself
 * (OC57).
 */
export function rulesInForce(ruleset: Ruleset, nowMs: number): Ruleset {
  if (ruleset.editions === undefined) return ruleset;
  return ruleset.editions.findLast(({ fromMs }) => fromMs <= nowMs)?.rules ?? ruleset;
}

/** Returns the rules in force at a time, which then hold at any time. */
export function pinRules(ruleset: Ruleset, nowMs: number): Ruleset {
  const { editions: _later, ...rules } = rulesInForce(ruleset, nowMs);
  return rules;
}

/** Gates of each ruleset in evaluation order, cached after the first lookup. */
const gatesByRuleset = new WeakMap<Ruleset, readonly Rule[]>();

/** Returns the gates of a ruleset in evaluation order. The rules must be those in force. */
export function getGates(ruleset: Ruleset): readonly Rule[] {
  const known = gatesByRuleset.get(ruleset);
  if (known !== undefined) return known;
  const gates = createGates(ruleset, getRule);
  gatesByRuleset.set(ruleset, gates);
  return gates;
}

/** Creates the gates of a ruleset in evaluation order: built-in ones from a lookup, and those that are data. */
export function createGates({ order, extension }: Ruleset, gateOf: GateLookup): readonly Rule[] {
  if (extension === undefined) return order.map(gateOf);
  return order.map((id) => {
    const data = extension.gates[id];
    const gate = data === undefined ? withProfiles(gateOf(id), extension) : toRule(id, data, extension);
    const skipIf = extension.skips[id];
    return skipIf === undefined ? gate : skippedIf(skipIf, gate, extension);
  });
}

/** Returns the codes of all reasons that a ruleset can give, in any edition. */
export function listReasons(ruleset: Ruleset): readonly Reason[] {
  const rules = [ruleset, ...(ruleset.editions ?? []).map((edition) => edition.rules)];
  return [...new Set(rules.flatMap((one) => getGates(one)).flatMap(({ reasons }) => reasons))];
}

function toRule(id: RuleId, { summary, source, appliesTo, when, stop }: DataGate, extension: RulesetExtension): Rule {
  return {
    id,
    summary,
    source,
    appliesTo,
    reads: listFactPaths(when, extension),
    reasons: [stop],
    evaluate: (facts) => {
      const saw = reportFacts(when, facts, extension);
      return holds(when, readingsFrom(facts, extension)) ? met(saw) : stopped(stop, saw);
    },
  };
}

/** Adds to the gate about local passkeys what decides on a profile of all types. */
function withProfiles(gate: Rule, extension: RulesetExtension): Rule {
  const { allPasskeyTypes } = extension;
  if (gate.id !== 'R11.3' || allPasskeyTypes === null) return gate;
  return { ...gate, reads: [...new Set([...gate.reads, ...listFactPaths(allPasskeyTypes, extension)])] };
}

/** Returns a gate that is not applicable under a condition. */
function skippedIf(skipIf: Condition, gate: Rule, extension: RulesetExtension): Rule {
  return {
    ...gate,
    reads: [...new Set([...gate.reads, ...listFactPaths(skipIf, extension)])],
    evaluate: (facts, ruleset) =>
      holds(skipIf, readingsFrom(facts, extension))
        ? notApplicable({ skipIf: reportFacts(skipIf, facts, extension) })
        : gate.evaluate(facts, ruleset),
  };
}

/** Returns the facts that a condition reads, by the names that a verdict reports. */
function reportFacts(condition: Condition, facts: GateFacts, extension: RulesetExtension): EvaluatedFacts {
  const readings = readingsFrom(facts, extension);
  return Object.fromEntries(nameReads(condition).map(([path, name]) => [name, readings.read(path)]));
}
