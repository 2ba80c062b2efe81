import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  derivedFacts,
  deriveGateFacts,
  findWarnings,
  getPromptOutcome,
  promptFactPaths,
  warningFactPaths,
} from '../../machines/evaluate.ts';
import { customControlsRule } from '../../machines/rules/custom-controls.rule.ts';
import { met, type Rule, stopped } from '../../machines/rules/rule.ts';
import { rules } from '../../machines/rules/rule-registry.ts';
import { datelessRulesets as rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Facts } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { anyFacts } from './facts-arbitrary.ts';
import { propertySeed } from './property.ts';
import { recording, undeclared, unread } from './recorded-reads.ts';

const population = fc.sample(anyFacts, { seed: propertySeed, numRuns: 3000 });

interface Observed {
  readonly reads: ReadonlySet<string>;
  readonly outcomes: ReadonlySet<string>;
}

/** Evaluates a rule on many facts and records the paths that it reads, including those in its evaluated facts. */
function observe(rule: Rule, facts: readonly Facts[]): Observed {
  const reads = new Set<string>();
  const outcomes = new Set<string>();
  for (const ruleset of rulesets.values()) {
    for (const one of facts) {
      const given = deriveGateFacts(one, ruleset);
      if (rule.appliesTo !== 'both' && rule.appliesTo !== given.campaign.method) continue;
      const result = rule.evaluate(recording(given, reads), ruleset);
      JSON.stringify(result);
      outcomes.add(result.outcome === 'stopped' ? result.reason : result.outcome);
    }
  }
  return { reads, outcomes };
}

describe.for(nonEmpty(rules))('$id reads the facts that it declares', (rule) => {
  const { reads, outcomes } = observe(rule, population);

  test(`${rule.id}: reads no undeclared facts`, () => {
    expect(reads.size).toBeGreaterThan(0);
    expect(undeclared(reads, rule.reads)).toEqual([]);
  });

  test(`${rule.id}: declares no facts that it never reads`, () => {
    expect(unread(reads, rule.reads)).toEqual([]);
  });

  test(`${rule.id}: stops with each declared reason and with no other`, () => {
    const stops = [...outcomes].filter((outcome) => outcome !== 'met' && outcome !== 'not-applicable');
    expect(stops.sort()).toEqual([...rule.reasons].sort());
  });
});

describe('Problems reported by the check of reads', () => {
  const canary = (id: string, evaluate: Rule['evaluate'], reads: readonly string[]) => ({
    id,
    rule: { ...customControlsRule, reads, reasons: ['custom-controls' as const], evaluate },
  });
  const peeking = [
    canary(
      'a fact that is not declared',
      ({ attempt, user }) =>
        attempt.customControls && user.type === 'guest' ? stopped('custom-controls', {}) : met({}),
      ['attempt.customControls'],
    ),
    canary('a sibling of a declared fact', ({ attempt }) => met({ saw: attempt.termsOfUse }), [
      'attempt.customControls',
    ]),
    canary('facts read only by what it saw', ({ attempt }) => met({ attempt }), ['attempt.customControls']),
    canary('the keys of an object', ({ tenant }) => met({ groups: Object.keys(tenant.groups) }), [
      'attempt.customControls',
    ]),
    canary('whether a key is there', ({ tenant }) => met({ known: 'ops' in tenant.groups }), [
      'attempt.customControls',
    ]),
    canary('the groups of the user', ({ memberOf }) => met({ groups: memberOf.size }), ['attempt.customControls']),
  ];

  test.for(peeking)('R13.5 canary: the check reports $id', ({ rule }) => {
    expect(undeclared(observe(rule, population.slice(0, 200)).reads, rule.reads)).not.toEqual([]);
  });

  test('R13.5 canary: the check reports a declared path that is never read', () => {
    const rule = { ...customControlsRule, reads: ['attempt.customControls', 'user.type'] };
    expect(unread(observe(rule, population.slice(0, 200)).reads, rule.reads)).toEqual(['user.type']);
  });
});

test('R1 to R15: every rule has a summary, a source and a unique id, and every ruleset contains only existing rules', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, summary, source } of nonEmpty(rules)) {
    expect(`${id} ${summary}`).toMatch(/^\S+ \S.*\.$/);
    expect(source).toContain(id);
  }
  const ids = rules.map(({ id }) => id);
  for (const { order } of nonEmpty(rulesets.values())) expect(order.filter((id) => !ids.includes(id))).toEqual([]);
});

describe('Functions other than gates read the facts that they declare', () => {
  const derived = Object.entries(derivedFacts).map(([name, { reads, derive: of }]) => ({ name, declared: reads, of }));
  const others = [
    { name: 'getPromptOutcome', declared: promptFactPaths, of: getPromptOutcome },
    { name: 'findWarnings', declared: warningFactPaths, of: findWarnings },
  ];

  test.for([...derived, ...others])(
    'C1: $name reads all of its declared facts and no others',
    ({ name, declared, of }) => {
      const reads = new Set<string>();
      for (const ruleset of rulesets.values()) {
        for (const facts of population) {
          const given = name in derivedFacts ? facts : deriveGateFacts(facts, ruleset);
          const answer: unknown = (of as (facts: unknown, ruleset: unknown) => unknown)(
            recording(given, reads),
            ruleset,
          );
          JSON.stringify(answer);
        }
      }
      expect(undeclared(reads, declared)).toEqual([]);
      expect(unread(reads, declared)).toEqual([]);
    },
  );
});
