import { expect, it } from 'vitest';
import { type OwnJourney, observeJourney } from '../../../src/generate/own/own-journey.ts';
import { rulesetTours } from '../../../src/generate/own/ruleset-tours.ts';
import { parseRuleset } from '../../forecast/own/own-descriptions.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';

const weekly = {
  gates: 'gates: []',
  reasons: '',
  facts: '',
  settings: '',
  cadence: 'cadence: { kind: fixed, every: 7d }',
};
const transitions = { cover: 'transitions', maxLength: 40, depth: null } as const;

/** Everything that the steps of journeys led to, by journey. */
function results(text: string, journeys: readonly OwnJourney[]): readonly string[] {
  const ruleset = parseRuleset(text);
  return journeys.flatMap((journey) => observeJourney(ruleset, journey).map((one) => JSON.stringify(one)));
}

it('OC49: a limit, a failure and a second browser are reached where the ruleset has them', { timeout: 300_000 }, () => {
  const text = rulesetText({
    ...weekly,
    ledger: 'ledger: { keys: [[user, browser]] }',
    limit: 'limit: { of: 2, counts: snoozes, then: required, after: wait }',
  });
  const { journeys, sizeProof } = rulesetTours(parseRuleset(text), transitions);
  expect(sizeProof).toMatchObject({ complete: true, unreachable: [] });
  const seen = nonEmpty(results(text, journeys));
  expect(seen.some((one) => one.includes('"page":"required"'))).toBe(true);
  expect(seen.some((one) => one.includes('"page":"error-screen"'))).toBe(true);
  expect(JSON.stringify(journeys)).toContain('device-2');
});
