import { createEvaluator, deriveGateFacts } from '../../../machines/evaluate.ts';
import { met, type Rule, stopped } from '../../../machines/rules/rule.ts';
import { getRule, rules } from '../../../machines/rules/rule-registry.ts';
import type { GateLookup } from '../../../machines/ruleset-gates.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { GateOutcome } from '../../../machines/vocabulary.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { givenFacts } from '../models/given-facts.ts';
import type { ModelMutant, RuleOperator } from './model-mutant.ts';

/** Possible fault of a gate. */
interface GateFault {
  readonly operator: RuleOperator;
  readonly what: string;
  readonly change: Partial<Pick<Rule, 'appliesTo' | 'evaluate'>>;
}

const changed = { changed: true };

/** Facts with a value at every path that a gate can read, to determine the type of each value. */
const sample = deriveGateFacts(
  givenFacts({
    tenant: {
      campaign: { includeTargets: [{ targetType: 'user', id: 'ada', targetedAuthenticationMethod: 'fido2' }] },
    },
    user: { id: 'ada', snooze: { count: 1, snoozedAtMs: 1 } },
  }),
  seedRuleset,
);

/**
 * Creates the mutants of each gate in each ruleset: faults in its outcomes, in the facts that it reads, and in its
 * targets.
 */
export function ruleMutants(): readonly ModelMutant[] {
  return rules.flatMap((rule) =>
    listFaults(rule).map(({ operator, what, change }): ModelMutant => {
      const wrong: Rule = { ...rule, ...change };
      const getGate: GateLookup = (id) => (id === rule.id ? wrong : getRule(id));
      return {
        id: `${rule.id} ${what}`,
        operator,
        place: `gate ${rule.id}`,
        part: 'evaluator',
        rules: [...new Set([rule.id, ...rule.source])],
        parts: { evaluate: createEvaluator(getGate) },
        gateOf: getGate,
      };
    }),
  );
}

function listFaults(rule: Rule): readonly GateFault[] {
  const [reason] = rule.reasons;
  const ask: Rule['evaluate'] = (facts, ruleset) => rule.evaluate(facts, ruleset);
  const faults: GateFault[] = [
    { operator: 'gate-always-met', what: 'never stops', change: { evaluate: () => met(changed) } },
  ];
  if (reason !== undefined) {
    const evaluate: Rule['evaluate'] = (facts, ruleset) => flipped(ask(facts, ruleset), rule);
    faults.push({
      operator: 'outcome-flipped',
      what: 'stops where it is met and vice versa',
      change: { evaluate },
    });
  }
  for (const one of rule.reasons) {
    const evaluate: Rule['evaluate'] = () => stopped(one, changed);
    faults.push({ operator: 'gate-always-stops', what: `always stops with ${one}`, change: { evaluate } });
    if (rule.reasons.length < 2) continue;
    const renamed: Rule['evaluate'] = (facts, ruleset) => {
      const outcome = ask(facts, ruleset);
      return outcome.outcome === 'stopped' ? stopped(one, outcome.saw) : outcome;
    };
    faults.push({ operator: 'reason-changed', what: `stops with ${one} only`, change: { evaluate: renamed } });
  }
  if (rule.appliesTo !== 'both') {
    faults.push({ operator: 'gate-of-both-methods', what: 'applies to both methods', change: { appliesTo: 'both' } });
  }
  return [...faults, ...rule.reads.flatMap((path) => misreadings(path, ask))];
}

function flipped(outcome: GateOutcome, { reasons: [reason] }: Rule): GateOutcome {
  if (outcome.outcome === 'stopped') return met(outcome.saw);
  return outcome.outcome === 'met' && reason !== undefined ? stopped(reason, outcome.saw) : outcome;
}

/** Lists the faults in reading one fact, by the type of its value. */
function misreadings(path: string, ask: Rule['evaluate']): readonly GateFault[] {
  const keys = path.split('.');
  const bent = (change: (value: unknown) => unknown): Rule['evaluate'] => {
    return (facts, ruleset) => ask(withValue(facts, keys, change), ruleset);
  };
  const value = valueAt(sample, keys);
  if (typeof value === 'number') {
    return [1, -1].map((by) => ({
      operator: 'boundary-shifted',
      what: `reads ${path} as one ${by > 0 ? 'more' : 'less'}`,
      change: { evaluate: bent((one) => (typeof one === 'number' ? one + by : one)) },
    }));
  }
  if (typeof value === 'boolean') {
    return [
      {
        operator: 'fact-negated',
        what: `reads ${path} as its opposite`,
        change: { evaluate: bent((one) => one !== true) },
      },
    ];
  }
  if (Array.isArray(value) || value instanceof Set) {
    const empty = Array.isArray(value) ? [] : new Set();
    return [{ operator: 'list-emptied', what: `reads ${path} as empty`, change: { evaluate: bent(() => empty) } }];
  }
  return [];
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((current, key) => (isPlainObject(current) ? current[key] : undefined), value as unknown);
}

/** Returns facts with another value at one path and all other values unchanged. */
function withValue<T extends object>(
  facts: T,
  [key, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): T {
  return new Proxy(facts, {
    get: (target, property) => {
      const held: unknown = Reflect.get(target, property);
      if (property !== key) return held;
      if (rest.length === 0) return change(held);
      return typeof held === 'object' && held !== null ? withValue(held, rest, change) : held;
    },
  });
}
