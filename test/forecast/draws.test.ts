import { describe, expect, it } from 'vitest';
import { answerPaths, pathWeights } from '../../src/forecast/action-paths.ts';
import { getMinute } from '../../src/forecast/day-of-attempts.ts';
import { fixedHour, fixedMinute, hourBits } from '../../src/forecast/forecast-tables.ts';

/** Creates tables whose first segment has only one hour. */
function createTables(hour: number): Parameters<typeof getMinute>[0] {
  return {
    hourThresholds: new Uint16Array(2 ** hourBits).fill(0x7fff),
    hourOutcomes: new Uint16Array(2 ** hourBits).fill(hour | (hour << 8)),
  };
}

describe('minute of a random draw', () => {
  it.each([
    [0, 0, 59],
    [22, 1_320, 1_379],
    [23, 1_380, 1_424],
    [fixedHour, fixedMinute, fixedMinute],
  ])('in hour %i, the first minute is %i and the last minute is %i', (hour, first, last) => {
    expect([getMinute(createTables(hour), 0, 0), getMinute(createTables(hour), 0, 0xfff)]).toEqual([first, last]);
  });
});

describe('probabilities of the results of a prompt', () => {
  const answer = { register: 0.5, skip: 0.3, close: 0.1, letExpire: 0.06, closeDuringSetup: 0.04 };
  const answers = {
    skippable: [answer, { ...answer, register: 0.6, skip: 0.2 }],
    required: [{ register: 0.8, close: 0.2, letExpire: 0, closeDuringSetup: 0 }],
    failure: [0.25],
    onFailure: { retry: 0.5, skip: 0.375, close: 0.125 },
  };

  function weights(given: Partial<Parameters<typeof pathWeights>[1]> = {}, from = answers) {
    const values = pathWeights(from, { required: false, round: 0, admitted: true, ...given });
    return Object.fromEntries(answerPaths.map(({ name }, place) => [name, values[place]]));
  }

  function sum(values: Readonly<Record<string, number | undefined>>): number {
    return Object.values(values).reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
  }

  it('the probabilities match a calculation by hand', () => {
    expect(weights()).toEqual({
      skipped: 0.3,
      closed: 0.1,
      expired: 0.06,
      closedDuringSetup: 0.04,
      registered: expect.closeTo(0.375),
      failedThenSkipped: expect.closeTo(0.046875),
      failedThenClosed: expect.closeTo(0.015625),
      retriedAndRegistered: expect.closeTo(0.046875),
      retriedThenSkipped: expect.closeTo(0.01171875),
      retriedThenClosed: expect.closeTo(0.00390625),
    });
    expect(sum(weights())).toBeCloseTo(1);
  });

  it('R11.8: a user who would always retry finally skips the error screen', () => {
    const onFailure = { retry: 1, skip: 0, close: 0 };
    const weighted = weights({}, { ...answers, onFailure });
    expect(weighted).toMatchObject({ failedThenSkipped: 0, failedThenClosed: 0, retriedThenClosed: 0 });
    expect(weighted['retriedThenSkipped']).toBeCloseTo(0.03125);
    expect(sum(weighted)).toBeCloseTo(1);
  });

  it('R6: a required prompt cannot be skipped, and the last actions apply to all later rounds', () => {
    expect(weights({ required: true })).toMatchObject({ skipped: 0, closed: 0.2, registered: expect.closeTo(0.6) });
    expect([0, 1, 5].map((round) => weights({ round })['skipped'])).toEqual([0.3, 0.2, 0.2]);
  });

  it('R11.7: a registration that the policy does not allow always fails', () => {
    expect(weights({ admitted: false })).toMatchObject({ registered: 0, retriedAndRegistered: 0 });
    expect(sum(weights({ admitted: false }))).toBeCloseTo(1);
  });
});
