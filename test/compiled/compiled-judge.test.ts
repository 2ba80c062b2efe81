import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../../machines/judge.ts';
import { ruleOf } from '../../machines/rules/register.ts';
import { met, type Rule, stopped } from '../../machines/rules/rule.ts';
import { rulesets } from '../../machines/rulesets/register.ts';
import type { Facts, GateId, Ruleset } from '../../machines/vocabulary.ts';
import { CompiledJudge } from '../../src/compiled/compiled-judge.ts';
import { type FactAxis, FactSpace } from '../../src/compiled/fact-space.ts';
import { judgeAll } from '../../src/compiled/judge-all.ts';
import { randomSource } from '../../src/core/random.ts';
import { eligibilitySpace } from '../../src/generate/models/eligibility-space.ts';
import { differenceOf } from '../machines/difference.ts';
import { anyFacts } from '../machines/facts-arbitrary.ts';
import { enabledFacts } from '../machines/facts-builder.ts';
import { expectAlways } from '../machines/property.ts';
import { nonEmpty } from '../non-empty.ts';
import { byTier } from '../tier.ts';
import { thrownBy } from './thrown-by.ts';

const sampled = byTier({ quick: 5_000, all: 100_000 });
/** Of how many gates one is replaced in the canary. */
const gatesPerCanary = byTier({ quick: 7, all: 1 });
const space = eligibilitySpace();
const [seedRuleset] = rulesets.values();
if (seedRuleset === undefined) throw new Error('No ruleset ships.');

/** The first combination of a sample of which table and judge say different things. */
function firstDifference(compiled: CompiledJudge, ruleset: Ruleset, count: number): Facts | null {
  const draw = randomSource(20_260_105);
  for (let index = 0; index < count; index += 1) {
    const places = compiled.space.axes.map(({ values }) => Math.floor(draw() * values.length));
    const facts = compiled.space.factsAt(places);
    const verdict = judge(facts, ruleset);
    const code = compiled.codes[compiled.codeAt(places)];
    const same =
      JSON.stringify(compiled.verdictAt(places)) === JSON.stringify(verdict) &&
      code?.outcome === verdict.outcome &&
      code.reason === verdict.reason;
    if (!same) return facts;
  }
  return null;
}

/** The rules with one of them judging otherwise. */
function changed(id: GateId, judging: Rule['judge']): (id: GateId) => Rule {
  return (wanted) => (wanted === id ? { ...ruleOf(id), judge: judging } : ruleOf(wanted));
}

describe.for(nonEmpty(rulesets.values()))('The compiled judge of $id', (ruleset) => {
  const compiled = new CompiledJudge(space, ruleset);

  test(`${ruleset.id}: a seeded sample of verdicts is the judge's own, trace and all`, {
    timeout: 60_000,
  }, () => {
    expect(firstDifference(compiled, ruleset, sampled)).toBeNull();
  });

  test(`${ruleset.id}: every combination is judged, and every reason of the ruleset comes out`, {
    timeout: 60_000,
  }, () => {
    const counts = judgeAll(compiled);
    expect(space.size).toBeGreaterThan(10_000_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(space.size);
    expect(compiled.codes.filter((_, code) => counts[code] === 0)).toEqual([]);
  });

  test(`${ruleset.id} canary: a gate that is always met shows in the sample or the counts`, {
    timeout: 120_000,
  }, () => {
    const small = new CompiledJudge(smallSpace(), ruleset);
    const right = [...judgeAll(small)];
    // The gates that the second ruleset judges otherwise; the others are seen under the first.
    const own: readonly GateId[] = ruleset.id === 'seed' ? ruleset.order : ['M1', 'R11.7', 'R11.3'];
    const gates = own
      .filter((id) => ruleOf(id).reasons.length > 0)
      .filter((_id, index) => index % gatesPerCanary === 0);
    expect(gates.length).toBeGreaterThan(0);
    const unseen = gates.filter((id) => {
      const wrong = new CompiledJudge(
        small.space,
        ruleset,
        changed(id, () => met({})),
      );
      return JSON.stringify([...judgeAll(wrong)]) === JSON.stringify(right);
    });
    expect(unseen).toEqual([]);
    const fault = changed('R13.5', ({ attempt }) =>
      attempt.customControls ? met({}) : stopped('custom-controls', {}),
    );
    expect(firstDifference(new CompiledJudge(space, ruleset, fault), ruleset, 1_000)).not.toBeNull();
  });
});

/** The space with two values of most axes. */
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

test('R1 to R15: over any axes, walking all combinations and asking for each give the same codes', () => {
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
    const compiled = new CompiledJudge(some, ruleset);
    const codes = new Uint8Array(some.size);
    judgeAll(compiled, codes);
    for (const [number, code] of codes.entries()) {
      const places = some.placesOf(number);
      const { outcome, reason } = judge(some.factsAt(places), ruleset);
      const said = compiled.codes[code];
      const found = differenceOf(
        { number: some.numberOf(places), outcome: said?.outcome, reason: said?.reason },
        { number, outcome, reason },
        `facts ${places.join('/')} in ${ruleset.id}`,
      );
      if (found !== null) return found;
    }
    return null;
  };
  for (const ruleset of rulesets.values()) {
    expectAlways(axes, (given) => claim(given, ruleset), 200);
    expectAlways(axes, (given) => claim(given.toReversed(), ruleset), 50);
  }
});

test('facts-invalid: an axis without values, and two axes that set one fact, are refused by name', () => {
  const os = { name: 'os', values: [{ name: 'ios', sets: { 'attempt.os': 'ios' } }] };
  const attempt = { name: 'attempt', values: [{ name: 'none', sets: { attempt: {} } }] };
  const refused = thrownBy(() => new FactSpace(space.base, [os, attempt, { name: 'idle', values: [] }]));
  expect(refused.code).toBe('facts-invalid');
  expect(refused.problems.map(({ place }) => place)).toEqual(['idle', 'attempt']);
});

test('R13.5 canary: a gate that reads what it does not declare is refused while its table is made', () => {
  const peeking = changed('R13.5', ({ user }) => (user.type === 'guest' ? stopped('custom-controls', {}) : met({})));
  expect(() => new CompiledJudge(smallSpace(), seedRuleset, peeking)).toThrow(RangeError);
});
