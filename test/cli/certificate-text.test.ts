import { expect, test } from 'vitest';
import { certificateLines } from '../../src/cli/generate/certificate-text.ts';

const certificate = {
  of: 'transitions',
  covered: 40,
  unreachable: [],
  tests: 3,
  steps: 97,
  cost: 100,
  lowerBound: 100,
  gap: 0,
  complete: true,
};

test.each([
  [{}, ['3 tests, 97 steps; covered: 40 transitions', 'cost 100, lower bound 100, proven optimal']],
  [
    { cost: 101, gap: 1 },
    [
      '3 tests, 97 steps; covered: 40 transitions',
      'cost 101, lower bound 100, optimality gap 1: at most 1.0 % above the optimum',
    ],
  ],
  [
    { cost: 8, lowerBound: 3, gap: 5, tests: 1, steps: 1 },
    [
      '1 test, 1 step; covered: 40 transitions',
      'cost 8, lower bound 3, optimality gap 5: at most 166.7 % above the optimum',
    ],
  ],
  [
    { cost: 1, lowerBound: 0, gap: 1 },
    [
      '3 tests, 97 steps; covered: 40 transitions',
      'cost 1, lower bound 0, optimality gap 1: at most 100.0 % above the optimum',
    ],
  ],
  [{ lowerBound: null, gap: null }, ['3 tests, 97 steps; covered: 40 transitions']],
])('R6: the size proof of a suite with %o claims an optimum only if it is proven', (known, lines) => {
  expect(certificateLines({ ...certificate, ...known })).toEqual(lines);
});
