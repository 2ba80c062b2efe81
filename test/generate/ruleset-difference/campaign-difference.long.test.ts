import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../machines/evaluate.ts';
import { pinRules } from '../../../machines/ruleset-gates.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { comparedFacts } from '../../../src/generate/mutate/fact-axes.ts';
import { findCampaignDifferences } from '../../../src/generate/ruleset-difference/campaign-difference.ts';
import { findDifferences } from '../../../src/generate/ruleset-difference/find-differences.ts';
import { nonEmpty } from '../../non-empty.ts';

function builtIn(id: string): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset === undefined) throw new RangeError(`No ruleset has the id ${id}.`);
  return ruleset;
}

const seed = builtIn('seed');

/** Changed copies of the ruleset `seed`: gate that decides, unusual values, and the change. */
const changed: readonly (readonly [gate: string | null, unusual: number, change: Partial<Ruleset>])[] = [
  ['R13.1', 1, { order: seed.order.filter((id) => id !== 'R13.1') }],
  ['R11.3', 3, { matrix: { ...seed.matrix, keychain: { ...seed.matrix.keychain, android: true } } }],
  [null, 1, { limits: { ...seed.limits, snoozeLimit: 2 } }],
  ['R5', 1, { limits: { ...seed.limits, dayMs: seed.limits.dayMs + 1 } }],
];

describe('differences of rulesets of registration campaigns', () => {
  test('OC43 seed and 2026-09 differ for five reasons, and all facts were compared', () => {
    const { differences, exact, undecided } = findCampaignDifferences(seed, builtIn('2026-09'));
    expect({ exact, undecided }).toEqual({ exact: true, undecided: [] });
    expect(differences.map(({ gate, verdicts, facts }) => [gate, verdicts, facts])).toEqual([
      ['M1', ['skippable', 'mfa-not-voice-or-sms'], { 'second factor': 'push' }],
      [
        'R11.7',
        ['restricted-profile', 'skippable'],
        { campaign: 'managed, passkey rolled out', 'passkey profiles': 'synced only' },
      ],
      ['R11.3', ['local-passkey', 'skippable'], { campaign: 'passkey', passkey: 'authenticator-app' }],
      ['R5', ['snoozed', 'skippable'], { campaign: 'managed, before the rollout', snoozes: 'one, a day ago' }],
      [null, ['required', 'skippable'], { campaign: 'managed, passkey rolled out', snoozes: 'all used, over' }],
    ]);
  });

  test('OC43 the evaluation of the smallest facts gives the unlike verdicts', () => {
    const space = comparedFacts();
    const { differences } = findDifferences(space, seed, builtIn('2026-09'));
    for (const { places, verdicts } of nonEmpty(differences)) {
      const facts = space.factsAt(places);
      const found = [seed, builtIn('2026-09')].map((ruleset) => {
        const { outcome, reason } = evaluate(facts, ruleset);
        return reason ?? outcome;
      });
      expect(found).toEqual(verdicts);
    }
  });

  test('OC43 a ruleset does not differ from itself', () => {
    expect(findCampaignDifferences(seed, { ...seed, id: 'copy' })).toEqual({
      differences: [],
      undecided: [],
      exact: true,
    });
  });

  test.each(nonEmpty(changed))('OC43 a change at %s needs %i unusual values', (gate, unusual, change) => {
    const { differences } = findCampaignDifferences(seed, { ...seed, ...change });
    const [first] = differences.filter((difference) => difference.gate === gate);
    expect(Object.keys(first?.facts ?? {})).toHaveLength(unusual);
    expect(differences.map((difference) => difference.gate)).toEqual([gate]);
  });

  test('OC43 editions are compared for each period, with the facts that they declare', () => {
    const { differences } = findCampaignDifferences(builtIn('2026-09'), builtIn('announced'));
    const february = Date.parse('2027-02-01');
    const duty = differences.find(({ fromMs, gate }) => fromMs === february && gate === null);
    expect(duty).toMatchObject({ verdicts: ['skippable', 'required'], facts: {} });
    const declared = differences.filter(({ facts }) => 'user.facts.external' in facts);
    expect(declared.length).toBeGreaterThan(0);
    const pinned = pinRules(builtIn('announced'), february);
    expect(findCampaignDifferences(pinned, { ...pinned, id: 'copy' }).differences).toEqual([]);
  });
});
