import { describe, expect, test } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { CompiledEvaluator } from '../../../src/compiled/compiled-evaluator.ts';
import { FactSpace } from '../../../src/compiled/fact-space.ts';
import { listDecisions } from '../../../src/generate/criteria/decision-criteria.ts';
import { type FactsConstraint, factsThat, inRow, rowOfGate } from '../../../src/generate/criteria/facts-search.ts';
import { axesBase, axis } from '../../../src/generate/models/eligibility-axes.ts';
import { givenFacts } from '../../../src/generate/models/given-facts.ts';
import { nonEmpty } from '../../non-empty.ts';

/** Space of facts that is small enough to enumerate. */
const space = new FactSpace(
  givenFacts(axesBase),
  [
    axis('subscription', { paid: { 'tenant.subscription': 'paid' }, trial: { 'tenant.subscription': 'trial' } }),
    axis('terms', { no: { 'attempt.termsOfUse': false }, yes: { 'attempt.termsOfUse': true } }),
    axis('controls', { no: { 'attempt.customControls': false }, yes: { 'attempt.customControls': true } }),
    axis('session', { no: { 'attempt.ssoSession': false }, yes: { 'attempt.ssoSession': true } }),
    axis('system', {
      windows: { 'attempt.os': 'windows' },
      linux: { 'attempt.os': 'linux' },
      ios: { 'attempt.os': 'ios' },
    }),
  ],
  Number.MAX_SAFE_INTEGER,
);

const everything: readonly (readonly number[])[] = space.axes.reduce<readonly (readonly number[])[]>(
  (all, { values }) => all.flatMap((places) => values.map((_, value) => [...places, value])),
  [[]],
);

describe('search for facts', () => {
  test('048: facts are found if and only if an enumeration of all combinations finds some', () => {
    const wanted: readonly FactsConstraint[] = [
      { axes: [1, 4], holds: (places) => places[1] === 1 && places[4] !== 0 },
      { axes: [0, 2], holds: (places) => places[0] !== places[2] },
      { axes: [3], holds: (places) => places[3] === 1 },
    ];
    const found = factsThat(space, wanted);
    expect(everything.some((places) => wanted.every(({ holds }) => holds(places)))).toBe(true);
    expect(wanted.every(({ holds }) => found !== null && holds(found))).toBe(true);
    expect(
      factsThat(space, [...wanted, { axes: [2, 3], holds: (places) => places[2] === places[3] && places[0] === 1 }]),
    ).toBeNull();
  });

  test('048: the constraints of a row are met by the facts of that row', () => {
    const judge = new CompiledEvaluator(space, seedRuleset);
    for (const gate of nonEmpty(judge.gates)) {
      for (const places of nonEmpty(everything)) {
        const row = rowOfGate(judge, gate, places);
        expect(inRow(judge, gate, row).every(({ holds }) => holds(places))).toBe(true);
      }
    }
  });

  test('048: the decisions include every row that settles a verdict, and the lower bound does not exceed the result', () => {
    const { count, facts, signInsMin } = listDecisions(space);
    const names = new Set(
      [seedRuleset, laterRuleset()].flatMap((ruleset) => {
        const judge = new CompiledEvaluator(space, ruleset);
        return everything.flatMap((places) => shownBy(judge, places).map((name) => `${ruleset.id} ${name}`));
      }),
    );
    expect(count).toBe(names.size);
    expect(new Set(facts.flatMap(({ covers }) => covers)).size).toBe(count);
    expect(signInsMin).toBeLessThanOrEqual(facts.length);
  });
});

/**
 * Lists the rows that facts reach up to the gate that stops them, and the later gates that would have stopped them with
 * another reason.
 */
function shownBy(judge: CompiledEvaluator, places: readonly number[]): readonly string[] {
  const rows = judge.gates.map((gate) => rowOfGate(judge, gate, places));
  const stops = judge.gates.map((gate, at) => gate.stops[rows[at] ?? 0] ?? 0);
  const names = judge.gates.map(({ rule }, at) => `${rule.id} ${rows[at]}`);
  const first = stops.findIndex((stop) => stop !== 0);
  if (first < 0) return [...names, `prompt ${rowOfGate(judge, judge.prompts, places)}`];
  const later = stops.flatMap((stop, at) => (at > first && stop !== 0 && stop !== stops[first] ? [at] : []));
  const orders = later.map((at) => `${judge.gates[first]?.rule.id} before ${judge.gates[at]?.rule.id}`);
  return [...names.slice(0, first + 1), ...orders];
}

function laterRuleset() {
  const later = rulesets.get('2026-09');
  if (later === undefined) throw new TypeError('Ruleset 2026-09 does not exist.');
  return later;
}
