import { describe, expect, it } from 'vitest';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import { createOwnModel } from '../../src/properties/own/own-model.ts';
import { createRulesetProperties } from '../../src/properties/own/ruleset-properties.ts';
import { ownCanaries, readShipped, withEndlessWait } from './own-canaries.ts';

describe('properties of the shipped own rulesets', { timeout: 1_800_000 }, () => {
  it.each(Object.entries(ownCanaries))(
    'PR40 %s: every property is proven, and violated by a faulty version of the ruleset',
    (name, canaries) => {
      const ruleset = readShipped(name);
      const model = createOwnModel(ruleset);
      const properties = createRulesetProperties(ruleset, model);
      const verdicts = checkProperties(model, properties).map(({ id, verdict }) => `${id} ${verdict}`);
      expect(verdicts).toEqual(properties.map(({ id }) => `${id} proven`));
      const violated = new Set<string>();
      for (const [patch, ids] of canaries) {
        const faulty = createOwnModel(readShipped(name, patch), null, { tickMs: model.clock?.stepMs ?? null });
        const checked = properties.filter(({ id }) => ids.includes(id));
        for (const { id, verdict } of checkProperties(faulty, checked)) {
          expect(`${id} ${verdict}`).toBe(`${id} violated`);
          violated.add(id);
        }
      }
      const ends = properties.filter(({ id }) => id === 'snooze-ends');
      for (const { id, verdict } of checkProperties(withEndlessWait(model), ends)) {
        expect(verdict).toBe('violated');
        violated.add(id);
      }
      expect([...violated].toSorted()).toEqual(properties.map(({ id }) => id).toSorted());
    },
  );
});
