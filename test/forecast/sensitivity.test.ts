import { describe, expect, it } from 'vitest';
import { forecastSchema } from '../../src/contract/forecast.schema.ts';
import { movableInputs, sensitivityFactors } from '../../src/forecast/sensitivity.ts';
import { officeTenant } from './descriptions.ts';

const answers = {
  skippable: [
    { register: 0.5, skip: 0.3, close: 0.2 },
    { register: 1, skip: 0 },
  ],
  required: [{ register: 0.5, close: 0.5 }],
  failure: [0.5, 0.9],
  onFailure: { retry: 0.5, skip: 0.25, close: 0.25 },
};
const signIn = { weekdays: { monday: 0.5, sunday: 0.9 } };
const base = {
  ...officeTenant,
  defaults: { signIn, answers },
  segments: [
    { name: 'silent', share: 0.5 },
    { name: 'two methods', share: 0.5, signIn, answers: { vendorAuthenticator: answers, fido2: answers } },
  ],
};
const description = forecastSchema.parse(base);

/** Returns the description with one input multiplied by a factor, in the defaults and in the second segment. */
function moved(place: number, factor: number) {
  const input = movableInputs[place];
  if (input === undefined) throw new RangeError(`There is no input ${place}.`);
  return input.moved(description, factor);
}

type Answers = Extract<NonNullable<(typeof description)['defaults']['answers']>, { skippable: unknown }>;

function getAnswers({ defaults }: typeof description): Answers {
  const defaultAnswers = defaults.answers;
  if (defaultAnswers === undefined || !('skippable' in defaultAnswers)) throw new TypeError('Everyone answers alike.');
  return defaultAnswers;
}

describe('inputs of a sensitivity analysis', () => {
  it('five inputs are changed by 20% in both directions', () => {
    expect(movableInputs).toHaveLength(5);
    expect(sensitivityFactors).toEqual({ low: 0.8, high: 1.2 });
  });

  it('a factor of 1 changes nothing', () => {
    for (const place of movableInputs.keys()) {
      const changed = moved(place, 1);
      expect(getAnswers(changed).required[0]?.close).toBeCloseTo(0.5);
      expect(getAnswers(changed).skippable[0]?.skip).toBeCloseTo(0.3);
      expect(changed.defaults.signIn).toEqual(description.defaults.signIn);
      expect(changed.tenant).toEqual(description.tenant);
    }
    expect(movableInputs.length).toBeGreaterThan(0);
  });

  it('sign-in probabilities are changed on each day and never exceed 1', () => {
    const days = moved(0, 1.5).defaults.signIn?.weekdays;
    expect(days).toMatchObject({ monday: 0.75, sunday: 1 });
    expect(moved(0, 0.5).defaults.signIn?.weekdays).toMatchObject({ monday: 0.25, sunday: 0.45 });
    expect(getAnswers(moved(0, 1.5))).toEqual(getAnswers(description));
  });

  it('R6: a changed registration share at an optional prompt keeps the other actions in proportion and a sum of 1', () => {
    const [first, second] = getAnswers(moved(1, 1.2)).skippable;
    expect(first).toMatchObject({
      register: expect.closeTo(0.6),
      skip: expect.closeTo(0.24),
      close: expect.closeTo(0.16),
    });
    expect(second).toMatchObject({ register: 1, skip: 0 });
    expect(getAnswers(moved(1, 1.2)).required).toEqual(getAnswers(description).required);
  });

  it('a registration share of 1 that is reduced gives the rest to the first other action', () => {
    const second = getAnswers(moved(1, 0.8)).skippable[1];
    const others = Object.entries(second ?? {}).filter(([name]) => name !== 'register');
    expect(second?.register).toBeCloseTo(0.8);
    expect(others.map(([, share]) => share).filter((share) => (share ?? 0) > 0)).toEqual([expect.closeTo(0.2)]);
    expect(others[0]?.[1]).toBeCloseTo(0.2);
  });

  it('registration at a required prompt, failures and retries are changed separately', () => {
    expect(getAnswers(moved(2, 1.2))).toMatchObject({
      required: [{ register: expect.closeTo(0.6), close: expect.closeTo(0.4) }],
      skippable: getAnswers(description).skippable,
      failure: [0.5, 0.9],
    });
    expect(getAnswers(moved(3, 1.2))).toMatchObject({
      failure: [expect.closeTo(0.6), 1],
      required: getAnswers(description).required,
      onFailure: getAnswers(description).onFailure,
    });
    expect(getAnswers(moved(4, 1.2))).toMatchObject({
      onFailure: { retry: expect.closeTo(0.6), skip: expect.closeTo(0.2), close: expect.closeTo(0.2) },
      failure: [0.5, 0.9],
    });
  });

  it('the actions of a segment are changed by method, and a segment without actions is unchanged', () => {
    const [silent, own] = moved(3, 1.2).segments;
    expect(silent).toEqual(description.segments[0]);
    expect(own?.answers).toMatchObject({
      vendorAuthenticator: { failure: [expect.closeTo(0.6), 1] },
      fido2: { failure: [expect.closeTo(0.6), 1] },
    });
    const [still, busy] = moved(0, 0.5).segments;
    expect(still).toEqual(description.segments[0]);
    expect(busy?.signIn?.weekdays).toMatchObject({ monday: 0.25 });
  });
});
