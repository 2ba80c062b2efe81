import { describe, expect, it } from 'vitest';
import { ownForecastSchema } from '../../../src/contract/own-forecast.schema.ts';
import { lostUsers, NotCompiled } from '../../../src/forecast/own/not-compiled.ts';
import { byTier } from '../../tier.ts';
import { parseRuleset, simulateBoth } from './own-descriptions.ts';
import { randomForecast } from './random-rulesets.ts';

/** Largest tables that are compared, so that compiling takes a second at most. */
const statesMax = 2_000;

/** Returns whether both engines have the same numbers, or why they are not compared. */
function compare(seed: number): 'same' | 'different' | 'invalid' | 'not compiled' | 'lost' {
  const { ruleset, description } = randomForecast(seed);
  try {
    const parsed = parseRuleset(JSON.stringify(ruleset));
    const { table, fold } = simulateBoth(ownForecastSchema.parse(description), parsed, 10, seed, statesMax);
    const words = ({ counters, population }: typeof table): string => [...counters, ...population].join();
    return words(table) === words(fold) ? 'same' : 'different';
  } catch (error) {
    if (error instanceof NotCompiled) return error.message === lostUsers().message ? 'lost' : 'not compiled';
    // The reader of rulesets rejects some combinations of keys.
    if (error instanceof RangeError && /^RS\d\d /.test(error.message)) return 'invalid';
    throw error;
  }
}

describe('OC53 random rulesets', () => {
  it('have the same numbers by tables and by the campaign itself', () => {
    const results = Array.from({ length: byTier({ quick: 12, all: 150 }) }, (_, index) => [
      index + 1,
      compare(index + 1),
    ]);
    expect(results.filter(([, result]) => result === 'different' || result === 'lost')).toEqual([]);
    expect(results.filter(([, result]) => result === 'same').length).toBeGreaterThan(results.length / 3);
  });
});
