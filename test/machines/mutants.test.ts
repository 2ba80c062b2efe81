import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { getRule, rules } from '../../machines/rules/rule-registry.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import { nonEmpty } from '../non-empty.ts';
import { checks, getRuleset, isKilled } from './decision-checks.ts';
import { createMutantEvaluator, deafRules, flippedCells, handMade, wrongData, wrongOrders } from './mutants.ts';
import { wrongRows } from './wrong-rows.ts';

describe('Faulty evaluators', () => {
  test('C1 to R5: the original evaluator passes every row of every table', () => {
    expect(wrongRows(checks, (facts, ruleset) => evaluate(facts, getRuleset(ruleset)))).toEqual([]);
    expect(checks.length).toBeGreaterThan(1500);
  });

  test('C1 to R5: an evaluator composed of the same parts without a fault survives', () => {
    expect(wrongRows(checks, createMutantEvaluator({}))).toEqual([]);
  });

  test('C1 to R5: there are at least 40 handwritten mutants', () => {
    expect(handMade.length).toBeGreaterThanOrEqual(40);
  });

  test.for(handMade)('$id: is killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  test.for(nonEmpty(wrongData))('$id: is killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  // R10.5 is a permission: it has no stop that could be made permanent.
  test.for(nonEmpty(deafRules(rules.map(({ id }) => id))))('$id: is killed', ({ judging }) => {
    expect(isKilled(judging)).toBe(true);
  });

  test.for(nonEmpty([...wrongOrders(seedRuleset), ...wrongOrders(september2026Ruleset)]))(
    '$id: is killed',
    ({ judging }) => {
      expect(isKilled(judging)).toBe(true);
    },
  );

  test.for(nonEmpty([...flippedCells(seedRuleset), ...flippedCells(september2026Ruleset)]))(
    '$id: is killed',
    ({ judging }) => {
      expect(isKilled(judging)).toBe(true);
    },
  );

  test('R13.1: an equivalent mutant survives, so a kill is meaningful', () => {
    const same = createMutantEvaluator({
      rules: { 'R13.1': (facts, ruleset) => getRule('R13.1').evaluate(facts, ruleset) },
    });
    expect(wrongRows(checks, same)).toEqual([]);
  });
});
