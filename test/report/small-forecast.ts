import type { EffectiveCampaign } from '../../machines/vocabulary.ts';
import type { Band, ForecastAnalyses, ForecastDay, ForecastReport } from '../../src/contract/forecast-report.ts';

const counts = {
  attempts: 300,
  prompts: 120,
  skippable: 100,
  required: 20,
  snoozed: 60,
  skipped: 40,
  closed: 15,
  expired: 5,
  closedDuringSetup: 2,
  registered: 50,
  failed: 6,
  errorScreensSkipped: 3,
  errorsClosed: 1,
  notPromptedByReason: {
    snoozed: 90,
    'already-registered': 80,
    'single-sign-on': 10,
  } as ForecastDay['notPromptedByReason'],
};

/** Creates a forecast day. Its figures grow from day to day. */
function day(number: number): ForecastDay {
  return {
    ...counts,
    attempts: 100 + number,
    prompts: 60 - 10 * number,
    required: 5 * number,
    snoozed: 30 - number,
    registered: 10 + number,
    failed: number,
    day: number,
    date: `2026-01-${String(5 + number).padStart(2, '0')}`,
    promptedUsers: 60 + 20 * number,
    requiredUsers: 10 * number,
    registeredUsers: 15 + 20 * number,
    users: { notPrompted: 100, snoozed: 50, registrationRequired: 10, registered: 40 },
    neverPromptedByReason: { 'no-sign-in': 100 - 20 * number, excluded: 12 } as ForecastDay['neverPromptedByReason'],
  };
}

const band = (values: readonly number[], width: number): Band => ({
  low: values.map((value) => value - width),
  median: values,
  high: values.map((value) => value + width),
});
const days = [0, 1, 2, 3].map(day);
const spread = (median: number) => ({ low: median - 0.1, median, high: median + 0.1 });

/** Forecast of four days with invented figures, so the charts do not depend on the rules. */
export const smallForecast = {
  name: 'Tom & <Ann>',
  ruleset: 'seed',
  campaign: {
    state: 'enabled',
    method: 'fido2',
    snoozeDays: 3,
    limited: true,
    includeTargets: [],
    excludeTargets: [],
  } as unknown as EffectiveCampaign,
  start: '2026-01-05',
  days: 4,
  users: 200,
  simulatedUsers: 200,
  complete: true,
  seeds: [1, 2, 3],
  tablesDigest: 'a1b2',
  usersDigest: 'c3d4',
  figures: {
    users: 200,
    registeredShare: 0.375,
    promptedShare: 0.6,
    requiredShare: 0.15,
    promptsPerUser: 1.2345,
    promptsPerRegistration: 3.29,
    registeredP50Day: 2,
    registeredP90Day: 4,
  },
  totals: counts,
  daily: days,
  segments: [
    { name: 'office', users: 150, reached: 100, required: 30, registered: 60, prompts: 200 },
    { name: 'field', users: 50, reached: 20, required: 0, registered: 15, prompts: 40 },
    { name: 'nobody', users: 0, reached: 0, required: 0, registered: 0, prompts: 0 },
  ],
  promptCountHistogram: [80, 60, 40, 20],
  warnings: ['A warning.'],
  bands: {
    prompts: band(
      days.map(({ prompts }) => prompts),
      4,
    ),
    snoozed: band(
      days.map(({ snoozed }) => snoozed),
      2,
    ),
    registeredUsers: band(
      days.map(({ registeredUsers }) => registeredUsers),
      3,
    ),
    requiredUsers: band(
      days.map(({ requiredUsers }) => requiredUsers),
      0,
    ),
    neverPromptedByReason: band(
      days.map((_, number) => 112 - 20 * number),
      5,
    ),
  },
  spread: {
    registeredShare: spread(0.375),
    promptedShare: spread(0.6),
    requiredShare: spread(0.15),
    promptsPerUser: spread(1.2345),
  },
} satisfies ForecastReport;

const { figures } = smallForecast;
const moved = (registeredShare: number, promptsPerUser: number) => ({ ...figures, registeredShare, promptsPerUser });

/** Additional analyses: four policies and two varied inputs. */
export const smallAnalyses: ForecastAnalyses = {
  sweep: [
    { method: 'fido2', limited: true, snoozeDays: 1, figures: moved(0.5, 3), paretoOptimal: true },
    { method: 'fido2', limited: false, snoozeDays: 7, figures: moved(0.3, 2.5), paretoOptimal: false },
    { method: 'vendorAuthenticator', limited: true, snoozeDays: 3, figures: moved(0.4, 1.5), paretoOptimal: true },
    {
      method: 'vendorAuthenticator',
      limited: false,
      snoozeDays: 14,
      figures: { ...moved(0.1, 1), registeredP50Day: null, registeredP90Day: null, promptsPerRegistration: null },
      paretoOptimal: true,
    },
  ],
  sensitivity: {
    factors: { low: 0.8, high: 1.2 },
    inputs: [
      { name: 'defaults.answers.skippable', low: moved(0.3, 1), high: moved(0.45, 1.5) },
      { name: 'segments.field.chance', low: moved(0.38, 1.3), high: moved(0.36, 1.1) },
    ],
  },
};
