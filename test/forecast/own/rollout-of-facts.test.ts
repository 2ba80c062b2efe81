import { describe, expect, it } from 'vitest';
import { drawShare } from '../../../machines/own/draw.ts';
import type { OwnFacts } from '../../../machines/own/own-facts.ts';
import type { OwnRollout } from '../../../machines/own/own-ruleset.ts';
import { ownForecastSchema } from '../../../src/contract/own-forecast.schema.ts';
import { planOwnForecast } from '../../../src/forecast/own/own-plan.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';
import { parseRuleset } from './own-descriptions.ts';

describe('OC28 rollout', () => {
  it('reaches the share of users that a fact of the users states', () => {
    const ruleset = parseRuleset(
      rulesetText({ rollout: 'rollout: { percent: { fact: user.facts.level }, by: user }' }),
    );
    const { segments } = planOwnForecast(
      ownForecastSchema.parse({
        ruleset: './a.ruleset.yaml',
        defaults: { facts: { level: { 2: 0.5, 8: 0.5 } }, signIn: { weekdays: { monday: 1 } } },
      }),
      ruleset,
    );
    const users = segments.flatMap((segment) => segment.users);
    const reached = users.filter(({ user }) => {
      const position = drawShare(ruleset.first.rollout as OwnRollout, { user } as unknown as OwnFacts);
      return position < Number(user.facts['level']) / 100;
    });
    expect(reached.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(0.05, 10);
  });
});
