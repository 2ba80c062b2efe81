import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../machines/vocabulary.ts';
import { ComparisonTally } from '../../../src/replay/compare/comparison-tally.ts';
import { VerdictCodes } from '../../../src/replay/compare/variant-evaluator.ts';

/** Changes from one outcome to another, with the counters that they increase in addition to the total. */
const changes = [
  ['none', 'none', []],
  ['none', 'skippable', ['promptedInVariant', 'newlyPrompted']],
  ['none', 'required', ['promptedInVariant', 'requiredAfter', 'newlyPrompted', 'newlyRequired']],
  ['skippable', 'none', ['promptedInBaseline', 'noLongerPrompted']],
  ['skippable', 'skippable', ['promptedInBaseline', 'promptedInVariant']],
  ['skippable', 'required', ['promptedInBaseline', 'promptedInVariant', 'requiredAfter', 'newlyRequired']],
  ['required', 'none', ['promptedInBaseline', 'requiredBefore', 'noLongerPrompted', 'noLongerRequired']],
  ['required', 'skippable', ['promptedInBaseline', 'promptedInVariant', 'requiredBefore', 'noLongerRequired']],
  ['required', 'required', ['promptedInBaseline', 'promptedInVariant', 'requiredBefore', 'requiredAfter']],
] as const;
const nothing = {
  promptedInBaseline: 0,
  promptedInVariant: 0,
  requiredBefore: 0,
  requiredAfter: 0,
  newlyPrompted: 0,
  noLongerPrompted: 0,
  newlyRequired: 0,
  noLongerRequired: 0,
};
const atMs = Date.parse('2026-01-05T09:00:00.000Z');

function setUp() {
  const codes = new VerdictCodes();
  const tally = new ComparisonTally(codes);
  const getCode = (outcome: Verdict['outcome']): number =>
    codes.getCode({ outcome, reason: outcome === 'none' ? 'snoozed' : null, rules: [] } as unknown as Verdict);
  return { tally, getCode };
}

function times(count: number, names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, count]));
}

describe('ComparisonTally', () => {
  test.for(changes)('A4: from %s to %s a user is counted in %j', ([before, after, counted]) => {
    const { tally, getCode } = setUp();
    tally.addUser(tally.getChange(getCode(before), getCode(after)));
    const { newlyPrompted, noLongerPrompted, newlyRequired } = { ...nothing, ...times(1, counted) };
    const changed = Number(before !== after);
    expect(tally.users).toEqual({ all: 1, changed, newlyPrompted, noLongerPrompted, newlyRequired });
  });

  test.for(changes)('A4: from %s to %s attempts are counted in %j, separately for certain and assumed', (row) => {
    const [before, after, counted] = row;
    const { tally, getCode } = setUp();
    const attempt = { before: getCode(before), after: getCode(after), platform: 'windows', atMs, groups: ['staff'] };
    for (const certain of [true, true, true, false]) tally.add({ ...attempt, certain });
    const split = {
      certain: { attempts: 3, ...nothing, ...times(3, counted) },
      assumed: { attempts: 1, ...nothing, ...times(1, counted) },
    };
    expect(tally.report()).toMatchObject({
      totals: split,
      byPlatform: { windows: split },
      byGroup: { staff: split },
      byDay: { '2026-01-05': split },
      byRule: [{ before: { outcome: before }, after: { outcome: after }, certain: 3, assumed: 1 }],
    });
  });

  test('A4: outcomes of prompted attempts and reasons of stopped ones are listed by frequency', () => {
    const { tally, getCode } = setUp();
    const counted = { platform: 'windows', atMs, groups: [], certain: true };
    for (const after of ['none', 'skippable', 'none', 'required', 'none'] as const)
      tally.add({ ...counted, before: getCode('none'), after: getCode(after) });
    expect(tally.stopsAfter()).toEqual({ prompted: 2, stops: [[expect.objectContaining({ reason: 'snoozed' }), 3]] });
  });
});
