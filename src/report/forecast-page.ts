import { html } from 'ghtml';
import type { ForecastAnalyses, ForecastReport } from '../contract/forecast-report.ts';
import { dataTable } from './charts/chart-figure.ts';
import { chartPage } from './charts/chart-page.ts';
import { methodText } from './forecast-analyses-text.ts';
import { forecastCharts } from './forecast-charts.ts';
import { bandText, ownCampaignText } from './forecast-text.ts';
import { shareText, wholeText } from './text-table.ts';

/** Renders a forecast as a self-contained HTML file. */
export function forecastPage(report: ForecastReport, analyses: ForecastAnalyses): string {
  const { name, simulatedUsers, days, start, ruleset, seeds, warnings } = report;
  const seedText =
    seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} random seeds, bands show ${bandText(seeds.length)}`;
  return chartPage({
    title: `Forecast: ${name}`,
    introduction: html`<p>${wholeText(simulatedUsers)} users over ${days} days from ${start}, ruleset ${ruleset}, ${seedText}.</p>
<p>${policyText(report)}</p>
!${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
!${figures(report)}
!${report.segments.length > 1 ? segments(report) : ''}`,
    charts: forecastCharts(report, analyses),
  });
}

function policyText({ campaign, engine }: ForecastReport): string {
  if (campaign === null) return ownCampaignText(engine);
  if (campaign.method === null || campaign.state === 'disabled') return 'The campaign prompts no one.';
  const who = campaign.state === 'enabled' ? 'The campaign' : 'The campaign, managed by the provider,';
  const limit = campaign.limited ? 'registration is required after three snoozes' : 'snoozes are unlimited';
  const days = campaign.snoozeDays === 1 ? 'a day' : `${campaign.snoozeDays} days`;
  return `${who} targets the ${methodText(campaign.method)}. A snooze lasts ${days}; ${limit}.`;
}

function figures({ figures: found, spread, totals }: ForecastReport): string {
  const range = (of: keyof NonNullable<typeof spread>, text: (value: number) => string): string =>
    spread === null ? '' : `${text(spread[of].low)} to ${text(spread[of].high)}`;
  const two = (value: number): string => value.toFixed(2);
  const half =
    found.registeredP50Day === null
      ? ''
      : `half of them by day ${found.registeredP50Day}, 90% by day ${found.registeredP90Day}`;
  const cards: readonly (readonly [string, string, string])[] = [
    [
      'Users registered',
      shareText(found.registeredShare),
      [range('registeredShare', shareText), half].filter(Boolean).join('; '),
    ],
    ['Users prompted', shareText(found.promptedShare), range('promptedShare', shareText)],
    ['Users required to register', shareText(found.requiredShare), range('requiredShare', shareText)],
    ['Prompts per user', two(found.promptsPerUser), range('promptsPerUser', two)],
    ['Prompts per registration', found.promptsPerRegistration === null ? '–' : two(found.promptsPerRegistration), ''],
    [
      'Failed registrations',
      wholeText(totals.failed),
      `${wholeText(totals.errorScreensSkipped)} error screens skipped`,
    ],
  ];
  return html`<dl>!${cards.map(([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`)}</dl>`;
}

function segments(report: ForecastReport): string {
  const share = (some: number, users: number): string => shareText(some / Math.max(1, users));
  const head = ['Segment', 'users', 'prompted', 'required', 'registered', 'prompts per user'];
  const rows = report.segments.map(({ name, users, reached, required, registered, prompts }) => [
    name,
    users,
    share(reached, users),
    share(required, users),
    share(registered, users),
    (prompts / Math.max(1, users)).toFixed(2),
  ]);
  return html`<h2>By segment</h2>!${dataTable({ title: 'By segment', head, rows })}`;
}
