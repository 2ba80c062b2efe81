import type { ForecastDay, ForecastFigures, ForecastReport } from '../contract/forecast-report.ts';
import type { Palette } from './palette.ts';
import { shareText, sparkline, textTable, wholeText } from './text-table.ts';

/** Number of random seeds up to which 5% of them is at most one run, so the band covers all runs. */
const wholeBandSeedsMax = 20;

/** Describes the range that a band covers for a number of random seeds. */
export function bandText(seeds: number): string {
  return seeds > wholeBandSeedsMax ? 'percentiles P5–P95' : 'the full range';
}

/** Maximum number of rows in the table of days. The CSV file contains every day. */
const periodsMax = 15;
const daysOfAWeek = 7;

/** Width of the column for chart names, in characters. */
const chartNameColumns = 26;

/** Formats a forecast for a terminal. The width is in characters. */
export function forecastText(report: ForecastReport, columns: number, palette: Palette): string {
  return [
    ...headline(report, palette),
    '',
    ...charts(report.daily, columns),
    '',
    ...daysTable(report),
    '',
    ...reasonsTable(report),
    ...answersTable(report),
    ...(report.segments.length > 1 ? ['', ...segmentsTable(report)] : []),
    ...report.warnings.map((warning) => `\n${palette.doubtful(warning)}`),
    '',
  ].join('\n');
}

function headline(report: ForecastReport, { strong, faint }: Palette): readonly string[] {
  const { figures, spread, seeds } = report;
  const range = (low: number, high: number, text: (value: number) => string): string =>
    ` (${text(low)} to ${text(high)})`;
  const shareWith = (name: 'registeredShare' | 'promptedShare' | 'requiredShare'): string =>
    shareText(figures[name]) + (spread === null ? '' : range(spread[name].low, spread[name].high, shareText));
  const prompts = figures.promptsPerUser.toFixed(2);
  const promptRange =
    spread === null ? '' : range(spread.promptsPerUser.low, spread.promptsPerUser.high, (value) => value.toFixed(2));
  return [
    `${strong(report.name)}: ${wholeText(report.simulatedUsers)} users, ${report.days} days from ${report.start}, ruleset ${report.ruleset}`,
    `Campaign: ${campaignText(report)}`,
    faint(
      seeds.length === 1
        ? `Random seed ${seeds[0]}`
        : `${seeds.length} random seeds; in parentheses ${bandText(seeds.length)}`,
    ),
    '',
    `Registered  ${shareWith('registeredShare')}${daysText(figures)}`,
    `Prompted    ${shareWith('promptedShare')}, ${prompts}${promptRange} prompts per user${perRegistration(figures)}`,
    `Required    ${shareWith('requiredShare')}`,
  ];
}

function campaignText({ campaign, engine }: ForecastReport): string {
  if (campaign === null) return ownCampaignText(engine);
  const method = { vendorAuthenticator: 'authenticator app', fido2: 'passkey' };
  return [
    campaign.state,
    campaign.method === null ? 'no method' : method[campaign.method],
    `snooze duration in days: ${campaign.snoozeDays}`,
    campaign.limited ? 'snooze limit: 3' : 'snooze limit: unlimited',
  ].join(', ');
}

/** Describes the campaign of an own ruleset, and how its numbers were computed. */
export function ownCampaignText(engine: ForecastReport['engine']): string {
  return `as the ruleset states, computed ${engine === 'fold' ? 'by replaying every user' : 'from compiled tables'}`;
}

function daysText({ registeredP50Day, registeredP90Day }: ForecastFigures): string {
  return registeredP50Day === null ? '' : `, half of them by day ${registeredP50Day}, 90% by day ${registeredP90Day}`;
}

function perRegistration({ promptsPerRegistration }: ForecastFigures): string {
  return promptsPerRegistration === null ? '' : `, ${promptsPerRegistration.toFixed(1)} a registration`;
}

function charts(daily: readonly ForecastDay[], columns: number): readonly string[] {
  const chart = (name: string, series: readonly number[]): string => {
    const top = wholeText(Math.max(0, ...series));
    return `${name.padEnd(chartNameColumns)}${sparkline(series, Math.max(10, columns - chartNameColumns - top.length - 7))} max ${top}`;
  };
  return [
    chart(
      'Prompts per day',
      daily.map(({ prompts }) => prompts),
    ),
    chart(
      'Required prompts per day',
      daily.map(({ required }) => required),
    ),
    chart(
      'Registered so far',
      daily.map(({ registeredUsers }) => registeredUsers),
    ),
    chart('Never prompted so far', daily.map(sumNeverPrompted)),
  ];
}

/** Returns the number of users who were never prompted by the end of a day. */
export function sumNeverPrompted({ neverPromptedByReason }: Pick<ForecastDay, 'neverPromptedByReason'>): number {
  return Object.values(neverPromptedByReason).reduce((sum, users) => sum + users, 0);
}

/**
 * Formats the days as periods: single days if they fit, and whole weeks otherwise. User totals refer to the end of
 * a period.
 */
function daysTable({ daily, simulatedUsers }: ForecastReport): readonly string[] {
  const length = daily.length <= periodsMax ? 1 : daysOfAWeek * Math.ceil(daily.length / (periodsMax * daysOfAWeek));
  const periods = Array.from({ length: Math.ceil(daily.length / length) }, (_, period) =>
    daily.slice(period * length, (period + 1) * length),
  );
  const counts = ['attempts', 'prompts', 'snoozed', 'required', 'registered', 'failed'] as const;
  const heads = counts.map((count) => (count === 'prompts' ? 'prompted' : count));
  const rows = periods.map((days) => {
    const [first, last] = [days[0] as ForecastDay, days.at(-1) as ForecastDay];
    return [
      first === last ? String(first.day + 1) : `${first.day + 1}-${last.day + 1}`,
      first.date,
      ...counts.map((count) => wholeText(days.reduce((sum, day) => sum + day[count], 0))),
      wholeText(sumNeverPrompted(last)),
      shareText(last.registeredUsers / Math.max(1, simulatedUsers)),
    ];
  });
  return textTable(['Days', 'from', ...heads, 'never prompted', 'registered so far'], rows);
}

function reasonsTable({ totals, daily, simulatedUsers }: ForecastReport): readonly string[] {
  const never = daily.at(-1)?.neverPromptedByReason ?? {};
  const reasons = Object.keys({ ...totals.notPromptedByReason, ...never });
  const countAttempts = (reason: string): number =>
    reason === 'no-sign-in' ? 0 : (totals.notPromptedByReason[reason] ?? 0);
  const sorted = reasons.toSorted((a, b) => countAttempts(b) - countAttempts(a));
  const rows = sorted.map((reason) => [
    reason,
    wholeText(countAttempts(reason)),
    shareText(countAttempts(reason) / Math.max(1, totals.attempts)),
    wholeText(never[reason] ?? 0),
    shareText((never[reason] ?? 0) / Math.max(1, simulatedUsers)),
  ]);
  return textTable(['Reason', 'attempts', 'of all attempts', 'users never prompted', 'of all users'], rows);
}

/** Formats the answers of an own ruleset. */
function answersTable({ totals: { answers, prompts } }: ForecastReport): readonly string[] {
  if (answers === undefined) return [];
  const rows = Object.entries(answers).map(([id, count]) => [
    id,
    wholeText(count),
    shareText(count / Math.max(1, prompts)),
  ]);
  return rows.length === 0 ? [] : ['', ...textTable(['Answer', 'prompts', 'of all prompts'], rows)];
}

function segmentsTable({ segments }: ForecastReport): readonly string[] {
  const rows = segments.map(({ name, users, reached, required, registered, prompts }) => [
    name,
    wholeText(users),
    shareText(reached / Math.max(1, users)),
    shareText(required / Math.max(1, users)),
    shareText(registered / Math.max(1, users)),
    (prompts / Math.max(1, users)).toFixed(2),
  ]);
  return textTable(['Segment', 'users', 'prompted', 'required', 'registered', 'prompts per user'], rows);
}
