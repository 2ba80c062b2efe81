import { expect, it } from 'vitest';
import { compareAnalysis } from '../../src/cli/serve/comparison-analysis.ts';

it.each([
  [[{ name: 'a', rollout: [], ruleset: 'none' }], 'variants.0.ruleset'],
  [
    [
      { name: 'a', rollout: [], ruleset: '2026-09' },
      { name: 'b', rollout: [], ruleset: 'none' },
    ],
    'variants.1.ruleset',
  ],
] as const)('bad-request: of %j the unknown ruleset is named with its location', async (variants, location) => {
  const order = { kind: 'comparison', variants, assume: 'skip' } as never;
  await expect(compareAnalysis(order, { rulesets: new Map() } as never)).rejects.toMatchObject({
    code: 'bad-request',
    problems: [{ location, message: '"none" is not one of seed, 2026-09, announced' }],
  });
});
