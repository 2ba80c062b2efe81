import { expect, test } from 'vitest';
import { eligibilityText } from '../../src/cli/explore/eligibility-report.ts';
import { plainPalette } from '../../src/report/palette.ts';

const report = {
  ruleset: 'seed',
  axes: [{ name: 'scope', values: 3 }],
  combinations: 1_500,
  verdicts: [
    { outcome: 'skippable', reason: null, count: 300 },
    { outcome: 'none', reason: 'excluded', count: 1_200 },
  ],
  sampled: 10_000,
  differing: 0,
} as const;

test('explore eligibility: the report lists verdicts by frequency and shows whether the sample matches the evaluator', () => {
  expect(eligibilityText(report, 12, plainPalette).split('\n')).toEqual([
    'eligibility, ruleset seed: 1,500 combinations, 12 ms',
    '          1,200  excluded',
    '            300  asked, skippable',
    '  holds  10,000 sampled verdicts compared with the evaluator, 0 differ',
    '',
  ]);
});

test('explore eligibility: a sampled verdict that differs from the evaluator is shown as broken', () => {
  expect(eligibilityText({ ...report, differing: 2 }, 12, plainPalette)).toMatch(/BROKEN.* 2 differ/);
});
