import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { getRule, rules } from '../../machines/rules/rule-registry.ts';
import { september2026Ruleset } from '../../machines/rulesets/2026-09.ts';
import { seedRuleset } from '../../machines/rulesets/seed.ts';
import { nonEmpty } from '../non-empty.ts';
import { checks, getRuleset, isKilled } from './decision-checks.ts';
import { createMutantEvaluator, deafRules, flippedCells, handMade, wrongData, wrongOrders } from './mutants.ts';
import { wrongRows } from './wrong-rows.ts';

describe('Evaluates with a fault', () => {
  test('C1 to R5: the project’s evaluate answers every row of every table', () => {
    expect(wrongRows(checks, (facts, ruleset) => evaluate(facts, getRuleset(ruleset)))).toEqual([]);
    expect(checks.length).toBeGreaterThan(1500);
  });

  test('C1 to R5: an evaluator put together from the same parts without a fault survives', () => {
    expect(wrongRows(checks, createMutantEvaluator({}))).toEqual([]);
  });

  test('C1 to R5: there are as many faults made by hand as this file promises', () => {
    expect(handMade.length).toBeGreaterThanOrEqual(40);
  });

  test.for(handMade)('$id: killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  test.for(nonEmpty(wrongData))('$id: killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  // R10.5 is a permission: it has no stop that could be made permanent.
  test.for(nonEmpty(deafRules(rules.map(({ id }) => id))))('$id: killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  test.for(nonEmpty([...wrongOrders(seedRuleset), ...wrongOrders(september2026Ruleset)]))(
    '$id: killed',
    ({ judging }) => {
      expect(isKilled(judging)).toBe(true);
    },
  );

  test.for(nonEmpty([...flippedCells(seedRuleset), ...flippedCells(september2026Ruleset)]))(
    '$id: killed',
    ({ judging }) => {
      expect(isKilled(judging)).toBe(true);
    },
  );

  test('R13.1: a fault that cannot be seen survives, so that killed means something', () => {
    const same = createMutantEvaluator({
      rules: { 'R13.1': (facts, ruleset) => getRule('R13.1').evaluate(facts, ruleset) },
    });
    expect(wrongRows(checks, same)).toEqual([]);
  });
});
