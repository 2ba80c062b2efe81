import { describe, expect, it } from 'vitest';
import { NotCompiled } from '../../../src/forecast/own/not-compiled.ts';
import { rulesetArray } from '../../../src/generate/own/fact-array.ts';
import { type OwnJourney, observeJourney } from '../../../src/generate/own/own-journey.ts';
import { exploreRuleset, rulesetTours } from '../../../src/generate/own/ruleset-tours.ts';
import { parseRuleset, shippedForecast } from '../../forecast/own/own-descriptions.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';

const withoutGates = { gates: 'gates: []', reasons: '', facts: '', settings: '' };
const weekly = { ...withoutGates, cadence: 'cadence: { kind: fixed, every: 7d }' };
const transitions = { cover: 'transitions', maxLength: 40, depth: null } as const;
const fast = { strength: 2, mode: 'fast', seed: 1 } as const;

/** Everything that the steps of journeys led to, by journey. */
function results(text: string, journeys: readonly OwnJourney[]): readonly string[] {
  const ruleset = parseRuleset(text);
  return journeys.flatMap((journey) => observeJourney(ruleset, journey).map((one) => JSON.stringify(one)));
}

describe('OC49: tours of own rulesets', () => {
  it('OC49: a tour covers every transition, performs every step without an error, and states its lower bound', () => {
    const text = rulesetText(weekly);
    const { journeys, sizeProof } = rulesetTours(parseRuleset(text), transitions);
    expect(sizeProof).toMatchObject({ complete: true, unreachable: [], tests: journeys.length });
    expect(sizeProof.lowerBound).toBeGreaterThan(0);
    expect(sizeProof.gap).toBe(sizeProof.cost - (sizeProof.lowerBound ?? 0));
    const seen = nonEmpty(results(text, journeys));
    expect(seen.filter((one) => one.includes('"error"'))).toEqual([]);
    expect(seen.some((one) => one.includes('"reason":"snoozed"'))).toBe(true);
  });

  it('OC49: sign-ins are exactly at the end of a window and one millisecond before it', () => {
    const text = rulesetText(weekly);
    const { journeys } = rulesetTours(parseRuleset(text), transitions);
    const waits = nonEmpty(journeys.flatMap(({ steps }) => steps)).flatMap((step) =>
      JSON.stringify(step['advance'] ?? ''),
    );
    expect(waits).toContain('{"ms":604800000}');
    expect(waits).toContain('{"ms":604799999}');
    expect(waits).toContain('{"ms":1}');
  });

  it('OC49: a mutant with another boundary of the window differs in a tour of the original', () => {
    const exclusive = { ...weekly, cadence: 'cadence: { kind: fixed, every: 7d, boundary: exclusive }' };
    const { journeys } = rulesetTours(parseRuleset(rulesetText(weekly)), transitions);
    expect(results(rulesetText(exclusive), journeys)).not.toEqual(results(rulesetText(weekly), journeys));
  });

  it('OC49: an edition is crossed one millisecond before it and exactly on its date', () => {
    const text = rulesetText({
      ...weekly,
      editions: "editions: [{ from: '2026-06-01', source: [ours], set: { cadence: { every: 1d } } }]",
    });
    const { journeys } = rulesetTours(parseRuleset(text), transitions);
    const clocks = new Set(journeys.flatMap(({ steps }) => steps.map((step) => step['setClock'])));
    expect(clocks).toContain('2026-06-01T00:00:00.000Z');
    expect(clocks).toContain('2026-05-31T23:59:59.999Z');
  });

  it('OC49: states that no rule tells apart are one state, so that months of prompts stay finite', () => {
    const { graph, isCut } = exploreRuleset(parseRuleset(rulesetText(withoutGates)), null);
    expect(isCut).toBe(false);
    expect(graph.states).toBeLessThan(200);
  });

  it.each(['states', 'pairs'] as const)('OC49: the criterion %s is covered whole', (cover) => {
    const { sizeProof } = rulesetTours(parseRuleset(rulesetText(withoutGates)), { ...transitions, cover });
    expect(sizeProof).toMatchObject({ of: cover, complete: true, unreachable: [] });
    expect(sizeProof.covered).toBeGreaterThan(0);
  });
});

describe('OC53: rulesets without finite states', () => {
  const counted = {
    ...weekly,
    gates: 'gates: [{ id: G1, summary: Often., when: { signIns: { within: 30d }, atLeast: 3 }, stop: few }]',
    reasons: 'reasons: { few: Few sign-ins. }',
  };

  it('OC53 RC4: a sliding window has no tour, and a search covers it to a depth', () => {
    const ruleset = parseRuleset(rulesetText(counted));
    expect(() => rulesetTours(ruleset, transitions)).toThrow(expect.objectContaining({ code: 'RC4' }));
    const { journeys, sizeProof } = rulesetTours(ruleset, { ...transitions, depth: 3 });
    expect(sizeProof).toMatchObject({ complete: true, of: 'transitions within 3 steps' });
    expect(nonEmpty(journeys).every(({ steps }) => steps.length <= 4)).toBe(true);
    expect(results(rulesetText(counted), journeys).some((one) => one.includes('"page":"prompt"'))).toBe(true);
  });

  it('OC53 RC3: sign-ins that are drawn one by one have no tour', () => {
    const drawn = rulesetText({ ...weekly, rollout: 'rollout: { percent: 50, by: signIn }' });
    const act = () => rulesetTours(parseRuleset(drawn), transitions);
    expect(act).toThrow(NotCompiled);
    expect(act).toThrow(expect.objectContaining({ code: 'RC3', path: ['rollout', 'by'] }));
  });
});

describe('OC49: covering arrays of own rulesets', () => {
  it('OC49: every pair of values is covered, and each reason has a sign-in', () => {
    const { ruleset } = shippedForecast('passkey-week');
    const { journeys, sizeProof, array } = rulesetArray(ruleset, fast);
    expect(sizeProof).toMatchObject({ complete: true, omitted: [] });
    const at = (name: string) => array.factors.indexOf(name);
    const pairs = new Set(
      array.rows.map((row) =>
        JSON.stringify([row[at('user.facts.activePasskey')], row[at('attempt.facts.steppedUp')]]),
      ),
    );
    expect(pairs.size).toBe(6);
    expect(journeys).toHaveLength(array.rows.length);
  });

  it('OC49: integers have their boundary values, texts their comparisons and one other', () => {
    const text = rulesetText({
      gates:
        'gates: [{ id: G1, summary: A., when: { fact: user.facts.level, atLeast: 4 }, stop: low }, { id: G2, summary: B., when: { fact: user.facts.domain, is: a.example }, stop: other }]',
      facts:
        'facts: { user: { level: { type: integer, min: 0, max: 9, default: 0 }, domain: { type: text, default: null } } }',
      settings: '',
      reasons: 'reasons: { low: Low., other: Other. }',
    });
    const { array } = rulesetArray(parseRuleset(text), fast);
    const column = (name: string) => new Set(array.rows.map((row) => row[array.factors.indexOf(name)]));
    expect([...column('user.facts.level')]).toEqual(expect.arrayContaining([3, 4]));
    const domains = column('user.facts.domain');
    expect(domains).toContain('a.example');
    expect(domains).toContain(null);
    expect(domains.size).toBeGreaterThan(2);
  });

  it('OC49: the age of an account is a parameter where a deadline or a gate counts from it', () => {
    const text = rulesetText({
      ...withoutGates,
      gates: 'gates: [{ id: G1, summary: Old., when: { fact: kept.createdAt, atLeastOld: 2h }, stop: young }]',
      reasons: 'reasons: { young: Too young. }',
    });
    const { journeys, sizeProof } = rulesetArray(parseRuleset(text), fast);
    expect(sizeProof.omitted).toEqual([]);
    expect(results(text, journeys).filter((one) => one.includes('"page":"prompt"')).length).toBeGreaterThan(0);
    expect(JSON.stringify(journeys)).toContain('7199999');
  });

  it('OC49: a ruleset that depends on no facts has no array', () => {
    const act = () =>
      rulesetArray(
        parseRuleset(rulesetText({ ...withoutGates, trigger: 'trigger: { on: [signIn, signUp, newSession] }' })),
        fast,
      );
    expect(act).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
  });
});
