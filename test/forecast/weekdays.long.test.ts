import { describe, expect, test } from 'vitest';
import { weekdays } from '../../src/core/utc-calendar.ts';
import { forecast } from '../../src/forecast/forecast-once.ts';
import { kernelAttempts } from '../../src/forecast/verify.ts';
import { nonEmpty } from '../non-empty.ts';
import { compiled, createCampaignForAll } from './descriptions.ts';

/** Start dates: a Monday, a Thursday, a Saturday, and the last Sunday of a February in a leap year. */
const starts = ['2026-01-05', '2026-01-08', '2026-01-10', '2032-02-29'] as const;
const dayMs = 86_400_000;

function onlyOn(weekday: string, start: string) {
  return {
    name: 'one day a week',
    start,
    days: 21,
    users: 1,
    tenant: { campaign: createCampaignForAll('vendorAuthenticator', 0, false) },
    defaults: {
      signIn: { weekdays: { [weekday]: 1 }, hours: { 9: 1 } },
      answers: { skippable: [{ skip: 1 }] },
    },
  };
}

/** Returns the English weekday name of a date. The program itself does not use this source. */
function getName(date: string | number): string {
  return new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
}

describe('days of the week', () => {
  test.for(nonEmpty(weekdays.flatMap((weekday) => starts.map((start) => [weekday, start] as const))))(
    'a user who signs in only on %s has attempts only on that day if the forecast begins on %s',
    ([weekday, start]) => {
      const attempts = kernelAttempts(compiled(onlyOn(weekday, start)), 1, 0);
      const names = nonEmpty(attempts).map(({ day }) => getName(Date.parse(start) + day * dayMs));
      expect(names).toEqual([weekday, weekday, weekday]);
    },
  );

  test('the report counts attempts of a user who signs in on Mondays on the dates of Mondays', async () => {
    const { daily } = await forecast(onlyOn('monday', '2026-01-08'), { threads: 1 });
    const met = daily.filter(({ attempts }) => attempts > 0).map(({ date }) => date);
    expect(met).toEqual(['2026-01-12', '2026-01-19', '2026-01-26']);
  });
});
