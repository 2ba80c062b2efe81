import type { ForecastReport } from '../contract/forecast-report.ts';

/** The days of a forecast as CSV, a column for every count, with the reasons last. */
export function forecastCsv({ daily }: ForecastReport): string {
  const notAsked = namesOf(daily.map((day) => day.notAsked));
  const neverReached = namesOf(daily.map((day) => day.neverReached));
  const counts = [
    'attempts',
    'asked',
    'skippable',
    'required',
    'snoozed',
    'skipped',
    'closed',
    'leftOpen',
    'closedDuringSetup',
    'registered',
    'failed',
    'errorsSkipped',
    'errorsClosed',
    'reachedUsers',
    'requiredUsers',
    'registeredUsers',
  ] as const;
  const states = ['notPrompted', 'snoozed', 'registrationRequired', 'registered'] as const;
  const head = [
    'day',
    'date',
    ...counts,
    ...states.map((state) => `users ${state}`),
    ...notAsked.map((reason) => `not asked ${reason}`),
    ...neverReached.map((reason) => `never reached ${reason}`),
  ];
  const rows = daily.map((day) => [
    day.day + 1,
    day.date,
    ...counts.map((count) => day[count]),
    ...states.map((state) => day.users[state]),
    ...notAsked.map((reason) => day.notAsked[reason] ?? 0),
    ...neverReached.map((reason) => day.neverReached[reason] ?? 0),
  ]);
  return `${[head, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

function namesOf<N extends string>(all: readonly Readonly<Partial<Record<N, number>>>[]): readonly N[] {
  return [...new Set(all.flatMap((one) => Object.keys(one) as N[]))].toSorted();
}
