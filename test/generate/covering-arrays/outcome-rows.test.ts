import { describe, expect, it } from 'vitest';
import { arrayJourneys } from '../../../src/generate/covering-arrays/array-journeys.ts';
import { omittedOutcomes, outcomeRows } from '../../../src/generate/covering-arrays/outcome-rows.ts';
import { maskingFreeConstraints, signInArray } from '../../../src/generate/models/sign-in-array.ts';
import { nonEmpty } from '../../non-empty.ts';

const { constraints } = signInArray();

describe('outcome rows', () => {
  it.each([
    ['all constraints', constraints],
    ['at most one reason', [...constraints, ...maskingFreeConstraints()]],
  ])('with %s, one row leads to each outcome with each method', (_name, rules) => {
    const shown = arrayJourneys(outcomeRows(rules)).map(
      ({ verdict }) => `${verdict.campaign.method} ${verdict.outcome}`,
    );
    expect(shown).toEqual([
      'vendorAuthenticator none',
      'vendorAuthenticator skippable',
      'vendorAuthenticator required',
      'fido2 none',
      'fido2 skippable',
      'fido2 required',
    ]);
  });

  it('each row satisfies the constraints', () => {
    for (const row of nonEmpty(outcomeRows(constraints))) {
      expect(constraints.filter(({ holds }) => !holds(row)).map(({ name }) => name)).toEqual([]);
    }
  });

  it('an outcome without a row is reported, and so is a reason', () => {
    const prompted = arrayJourneys(outcomeRows(constraints)).filter(({ verdict }) => verdict.outcome === 'skippable');
    const omitted = omittedOutcomes(prompted);
    expect(omitted).toContain('outcome required (passkey)');
    expect(omitted).toContain('reason excluded');
    expect(omitted).not.toContain('outcome skippable (passkey)');
  });
});
