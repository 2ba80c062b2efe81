import type { ForecastReport } from '../contract/forecast-report.ts';

/** Formats the days of a forecast as CSV with one column per count. The reasons are the last columns. */
export function forecastCsv({ daily }: ForecastReport): string {
  const notPromptedByReason = listNames(daily.map((day) => day.notPromptedByReason));
  const neverPromptedByReason = listNames(daily.map((day) => day.neverPromptedByReason));
  const counts = [
    'attempts',
    'prompts',
    'skippable',
    'required',
    'snoozed',
    'skipped',
    'closed',
    'expired',
    'closedDuringSetup',
    'registered',
    'failed',
    'errorScreensSkipped',
    'errorsClosed',
    'promptedUsers',
    'requiredUsers',
    'registeredUsers',
  ] as const;
  const states = ['notPrompted', 'snoozed', 'registrationRequired', 'registered'] as const;
  const head = [
    'day',
    'date',
    ...counts,
    ...states.map((state) => `users ${state}`),
    ...notPromptedByReason.map((reason) => `not prompted ${reason}`),
    ...neverPromptedByReason.map((reason) => `never prompted ${reason}`),
  ];
  const rows = daily.map((day) => [
    day.day + 1,
    day.date,
    ...counts.map((count) => day[count]),
    ...states.map((state) => day.users[state]),
    ...notPromptedByReason.map((reason) => day.notPromptedByReason[reason] ?? 0),
    ...neverPromptedByReason.map((reason) => day.neverPromptedByReason[reason] ?? 0),
  ]);
  return `${[head, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

function listNames<N extends string>(all: readonly Readonly<Partial<Record<N, number>>>[]): readonly N[] {
  return [...new Set(all.flatMap((one) => Object.keys(one) as N[]))].toSorted();
}
