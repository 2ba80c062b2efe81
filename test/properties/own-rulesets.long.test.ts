import { describe, expect, it } from 'vitest';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import { createOwnModel } from '../../src/properties/own/own-model.ts';
import { createRulesetProperties } from '../../src/properties/own/ruleset-properties.ts';
import { findUnviolated, readShipped } from './own-canaries.ts';

describe('properties of the shipped own rulesets', () => {
  it.each(['second-factor-deadline', 'passkey-by-ecosystem', 'passkey-90-days', 'passkey-week'])(
    'PR40 %s: every property is proven',
    (name) => {
      const ruleset = readShipped(name);
      const model = createOwnModel(ruleset);
      const properties = createRulesetProperties(ruleset, model);
      expect(properties.length).toBeGreaterThan(4);
      const verdicts = checkProperties(model, properties).map(({ id, verdict }) => `${id} ${verdict}`);
      expect(verdicts).toEqual(properties.map(({ id }) => `${id} proven`));
    },
  );

  // The other two are the long check `own-properties`.
  it.each(['second-factor-deadline', 'passkey-by-ecosystem'])(
    'PR40 %s: every property is violated by a faulty version of the ruleset',
    (name) => {
      expect(findUnviolated(name)).toEqual([]);
    },
  );

  it('PR41: a user who is prompted after each registration has finitely many states', () => {
    const again = readShipped('passkey-90-days', ({ done }) => ({
      done: { all: [done, { not: done }] },
      ledger: { keys: [['user']] },
    }));
    const { explored, facts } = createOwnModel(again);
    expect(explored.states).toBeLessThan(20_000);
    const sizes = facts.find(({ name }) => name === 'user.passkeys.size')?.values.map(Number) ?? [];
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(10);
  });
});
