import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  derivedFacts,
  deriveGateFacts,
  evaluate,
  evaluateGate,
  findWarnings,
  getPromptOutcome,
  listDerivedReads,
  listPromptReads,
  listWarningReads,
} from '../../machines/evaluate.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import { createGates, rulesInForce } from '../../machines/ruleset-gates.ts';
import { announcedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import { nonEmpty } from '../non-empty.ts';
import { anyFacts } from './facts-arbitrary.ts';
import { type Change, enabledFacts } from './facts-builder.ts';
import { propertySeed } from './property.ts';
import { recording, undeclared } from './recorded-reads.ts';
import { announcedRows } from './tables/announced.ts';

/** Evaluates a member with text messages, in a tenant with an enabled app campaign for all users. */
function evaluated(at: string, change: Change) {
  const facts = enabledFacts('vendorAuthenticator', change);
  const attempt = { ...facts.attempt, nowMs: Date.parse(at) };
  const snoozedAtMs = facts.user.snooze.snoozedAtMs === null ? null : attempt.nowMs;
  const user = { ...facts.user, snooze: { ...facts.user.snooze, snoozedAtMs } };
  return evaluate({ ...facts, user, attempt }, announcedRuleset);
}

test.for(nonEmpty(announcedRows))(
  'OC59 $at: $title',
  ({ at, change, outcome, reason, campaign = {}, warns = false }) => {
    const verdict = evaluated(at, change);
    expect(verdict).toMatchObject({ ruleset: 'announced', outcome, reason, campaign });
    expect(verdict.warnings.map(({ code }) => code)).toEqual(warns ? ['unusable-factor'] : []);
  },
);

test.for([
  ['2026-08-31T23:59:59.999Z', null],
  ['2026-09-01T00:00:00.000Z', '2026-09-01'],
  ['2026-10-30T00:00:00.000Z', '2026-10-30'],
  ['2027-01-31T23:59:59.999Z', '2026-10-30'],
  ['2027-02-01T00:00:00.000Z', '2027-02-01'],
  ['2027-07-01T00:00:00.000Z', '2027-07-01'],
] as const)('OC57 %s: the verdict names the edition in force: %s', ([at, edition]) => {
  expect(evaluated(at, () => undefined).edition).toBe(edition);
});

test('OC57: before the first date the verdicts are those of 2026-09', () => {
  const facts = enabledFacts('vendorAuthenticator');
  const { ruleset: _id, edition: _none, ...announced } = evaluate(facts, announcedRuleset);
  const { ruleset: _other, ...september } = evaluate(facts, september2026Ruleset);
  expect(announced).toEqual(september);
});

describe('OC59: only R10.1 and R11.3 apply to users who must register', () => {
  const keepsApp: Change = ({ tenant }) => {
    tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
  };
  test.for([
    ['2027-02-01T00:00:00.000Z', 'R11.3', () => undefined],
    ['2027-07-01T00:00:00.000Z', 'R11.3', () => undefined],
    ['2027-02-01T00:00:00.000Z', 'R10.1', keepsApp],
    ['2027-07-01T00:00:00.000Z', 'R10.1', keepsApp],
  ] as const)('%s: %s', ([at, gate, change]) => {
    const applicable = evaluated(at, change).rules.flatMap(({ id, outcome }) =>
      outcome === 'not-applicable' ? [] : [id],
    );
    expect(applicable).toEqual([gate]);
  });
});

describe('OC59: every part of the rules reads only what it declares', () => {
  const population = fc.sample(anyFacts, { seed: propertySeed, numRuns: 200 });
  test.for(nonEmpty(['2026-08-01', '2026-09-01', '2027-02-01', '2027-07-01']))('%s', (date) => {
    const rules = rulesInForce(announcedRuleset, Date.parse(date));
    const parts = [
      ...createGates(rules, getRule).map((gate) => ({
        name: gate.id,
        reads: [...gate.reads, 'campaign.method'],
        read: (facts: Parameters<typeof evaluateGate>[1]): unknown => evaluateGate(gate, facts, rules),
      })),
      {
        name: 'campaign',
        reads: listDerivedReads('campaign', rules),
        read: (facts: Parameters<typeof evaluateGate>[1]): unknown => derivedFacts.campaign.derive(facts, rules),
      },
      {
        name: 'the prompt',
        reads: listPromptReads(rules),
        read: (facts: Parameters<typeof evaluateGate>[1]): unknown => getPromptOutcome(facts, rules),
      },
      {
        name: 'the warnings',
        reads: listWarningReads(rules),
        read: (facts: Parameters<typeof evaluateGate>[1]): unknown => findWarnings(facts, rules),
      },
    ];
    const wrong = parts.flatMap(({ name, reads, read }) => {
      const seen = new Set<string>();
      for (const facts of population) JSON.stringify(read(recording(deriveGateFacts(facts, rules), seen)));
      return undeclared(seen, reads).map((path) => `${name} reads ${path}`);
    });
    expect(wrong).toEqual([]);
  });
});
