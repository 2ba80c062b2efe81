import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { met, type Rule, stopped } from '../../machines/rules/rule.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import { datelessRulesets as rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Facts, RuleId, Ruleset } from '../../machines/vocabulary.ts';
import { CompiledEvaluator } from '../../src/compiled/compiled-evaluator.ts';
import { evaluateAll } from '../../src/compiled/evaluate-all.ts';
import { type FactAxis, FactSpace } from '../../src/compiled/fact-space.ts';
import { randomSource } from '../../src/core/random.ts';
import { eligibilitySpace } from '../../src/generate/models/eligibility-space.ts';
import { findDifference } from '../machines/difference.ts';
import { anyFacts } from '../machines/facts-arbitrary.ts';
import { enabledFacts } from '../machines/facts-builder.ts';
import { expectAlways } from '../machines/property.ts';
import { nonEmpty } from '../non-empty.ts';
import { byTier } from '../tier.ts';
import { thrownBy } from './thrown-by.ts';

const sampled = byTier({ quick: 1_000, all: 100_000 });
/** Sampling interval of the canary: one of this many gates is replaced. */
const gatesPerCanary = byTier({ quick: 42, all: 1 });
const space = eligibilitySpace();
const [seedRuleset] = rulesets.values();
if (seedRuleset === undefined) throw new Error('No ruleset ships.');

/** Finds the first sampled facts for which table and evaluator differ. Returns `null` if there are none. */
function firstDifference(compiled: CompiledEvaluator, ruleset: Ruleset, count: number): Facts | null {
  const draw = randomSource(20_260_105);
  for (let index = 0; index < count; index += 1) {
    const places = compiled.space.axes.map(({ values }) => Math.floor(draw() * values.length));
    const facts = compiled.space.factsAt(places);
    const verdict = evaluate(facts, ruleset);
    const code = compiled.codes[compiled.codeAt(places)];
    const same =
      JSON.stringify(compiled.verdictAt(places)) === JSON.stringify(verdict) &&
      code?.outcome === verdict.outcome &&
      code.reason === verdict.reason;
    if (!same) return facts;
  }
  return null;
}

/** Returns the rules with the evaluation of one rule replaced. */
function changed(id: RuleId, judging: Rule['evaluate']): (id: RuleId) => Rule {
  return (wanted) => (wanted === id ? { ...getRule(id), evaluate: judging } : getRule(wanted));
}

describe.for(nonEmpty(rulesets.values()))('compiled evaluator of $id', (ruleset) => {
  const compiled = new CompiledEvaluator(space, ruleset);

  test(`${ruleset.id}: the verdicts and traces of a random sample equal those of the evaluator`, {
    timeout: 60_000,
  }, () => {
    expect(firstDifference(compiled, ruleset, sampled)).toBeNull();
  });

  test(`${ruleset.id}: every combination is evaluated, and every reason of the ruleset occurs`, {
    timeout: 60_000,
  }, () => {
    const counts = evaluateAll(compiled);
    expect(space.size).toBeGreaterThan(10_000_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(space.size);
    expect(compiled.codes.filter((_, code) => counts[code] === 0)).toEqual([]);
  });

  test(`${ruleset.id} canary: the sample or the counts detect a gate that always passes`, {
    timeout: 120_000,
  }, () => {
    const small = new CompiledEvaluator(smallSpace(), ruleset);
    const right = [...evaluateAll(small)];
    // The second ruleset changes only these gates; the canary of the first ruleset covers the others.
    const own: readonly RuleId[] = ruleset.id === 'seed' ? ruleset.order : ['M1', 'R11.7', 'R11.3'];
    const gates = own
      .filter((id) => getRule(id).reasons.length > 0)
      .filter((_id, index) => index % gatesPerCanary === 0);
    expect(gates.length).toBeGreaterThan(0);
    const unseen = gates.filter((id) => {
      const wrong = new CompiledEvaluator(
        small.space,
        ruleset,
        changed(id, () => met({})),
      );
      return JSON.stringify([...evaluateAll(wrong)]) === JSON.stringify(right);
    });
    expect(unseen).toEqual([]);
    const fault = changed('R13.5', ({ attempt }) =>
      attempt.customControls ? met({}) : stopped('custom-controls', {}),
    );
    expect(firstDifference(new CompiledEvaluator(space, ruleset, fault), ruleset, 1_000)).not.toBeNull();
  });
});

/** Creates the space with only two values for most axes. */
function smallSpace(): FactSpace {
  const whole = ['campaign', 'sign-in context', 'app policy', 'passkey policy', 'methods', 'scope', 'platform'];
  const axes = space.axes.map((axis) =>
    whole.includes(axis.name) ? axis : { ...axis, values: axis.values.slice(0, 2) },
  );
  return new FactSpace(
    space.base,
    axes.map((axis) => (axis.name === 'platform' ? everyThird(axis) : axis)),
  );
}

function everyThird({ name, values }: FactAxis): FactAxis {
  return { name, values: values.filter((_, index) => index % 3 === 0) };
}

test('R1 to R15: for any axes, evaluating all combinations and evaluating each one return the same codes', () => {
  const parts = ['tenant', 'user', 'attempt'] as const;
  const axes = fc.tuple(
    ...parts.map((part) =>
      fc.array(anyFacts, { minLength: 1, maxLength: 4 }).map((given): FactAxis => {
        return { name: part, values: given.map((facts, at) => ({ name: `${at}`, sets: { [part]: facts[part] } })) };
      }),
    ),
  );
  const claim = (given: readonly FactAxis[], ruleset: Ruleset) => {
    const some = new FactSpace(enabledFacts('fido2'), given);
    const compiled = new CompiledEvaluator(some, ruleset);
    const codes = new Uint8Array(some.size);
    evaluateAll(compiled, codes);
    for (const [number, code] of codes.entries()) {
      const places = some.toPlaces(number);
      const { outcome, reason } = evaluate(some.factsAt(places), ruleset);
      const said = compiled.codes[code];
      const found = findDifference(
        { number: some.toNumber(places), outcome: said?.outcome, reason: said?.reason },
        { number, outcome, reason },
        `facts ${places.join('/')} in ${ruleset.id}`,
      );
      if (found !== null) return found;
    }
    return null;
  };
  for (const ruleset of rulesets.values()) {
    expectAlways(axes, (given) => claim(given, ruleset), byTier({ quick: 40, all: 200 }));
    expectAlways(axes, (given) => claim(given.toReversed(), ruleset), byTier({ quick: 10, all: 50 }));
  }
});

test('facts-invalid: an axis without values and two axes that set the same fact are rejected by name', () => {
  const os = { name: 'os', values: [{ name: 'ios', sets: { 'attempt.os': 'ios' } }] };
  const attempt = { name: 'attempt', values: [{ name: 'none', sets: { attempt: {} } }] };
  const refused = thrownBy(() => new FactSpace(space.base, [os, attempt, { name: 'idle', values: [] }]));
  expect(refused.code).toBe('facts-invalid');
  expect(refused.problems.map(({ location: place }) => place)).toEqual(['idle', 'attempt']);
});

test('R13.5 canary: a gate that reads an undeclared fact is rejected when its table is built', () => {
  const peeking = changed('R13.5', ({ user }) => (user.type === 'guest' ? stopped('custom-controls', {}) : met({})));
  expect(() => new CompiledEvaluator(smallSpace(), seedRuleset, peeking)).toThrow(RangeError);
});
