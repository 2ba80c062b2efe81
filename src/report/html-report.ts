import { html } from 'ghtml';
import type { CoverageReport, RulesetCoverage, RunReport, ScenarioResult } from '../contract/result.schema.ts';
import type { ChartCoverage } from '../contract/suite-coverage.ts';
import { toInstant } from '../core/clock.ts';
import { assumptionLabels } from './coverage-text.ts';
import { durationText } from './duration.ts';
import { failure, shortFailure } from './failure-html.ts';
import { renderFilmstrip } from './filmstrip.ts';
import { reportScript, reportStyle } from './html-report-parts.ts';
import { PageSizeBudget } from './page-size-budget.ts';
import { flakyIn, type RunChanges } from './run-changes.ts';
import { createPictures, pictureStyle, pictureSymbols } from './screen-pictures.ts';
import { chartSection, suiteStyle } from './suite-page.ts';
import { changesText } from './summary-markdown.ts';

/** Origin of a run: its date, the version of the program, and the virtual clocks of its scenarios. */
export interface RunOrigin {
  /** End of the run in milliseconds since the epoch. */
  readonly endedAtMs: number;
  readonly version: string;
  /** Initial virtual times of the scenarios in milliseconds since the epoch. */
  readonly virtualMs: readonly number[];
}

/** Optional content of the page in addition to the report. */
export interface ReportExtras {
  /** Changes since an earlier run, or `null` if there is no earlier run. */
  readonly changes: RunChanges | null;
  /** Statechart of the nudge lifecycle with its coverage, or `null` to omit it. */
  readonly lifecycle?: ChartCoverage | null;
  /** When and with which version the run took place, or `null` to omit it. */
  readonly origin?: RunOrigin | null;
  /**
   * Returns the thumbnail of a screenshot file as a `data:` URL, or `null` if the evidence file is not a screenshot.
   */
  readonly shotIn?: (file: string) => string | null;
}

/**
 * Maximum size in bytes of all detailed failures, and of all screenshots, even if the page budget has more left.
 */
const wholeBytesMax = 700_000;
const shotBytesMax = 400_000;

/**
 * Renders a run as a self-contained HTML file: totals, the filmstrip of each scenario, failures with the evaluation
 * trace and the command to repeat them, rule coverage, and the lifecycle. The report must not contain secrets. A
 * report with a thousand scenarios is smaller than two megabytes. If the budget is used up, later scenarios are
 * shown in short form.
 */
export function reportHtml(report: RunReport, extras: ReportExtras): string {
  const { summary, coverage } = report;
  const groups = groupResults(report.results);
  const results = groups.flatMap((group) => group.results);
  const { changes, lifecycle = null, origin = null, shotIn = () => null } = extras;
  const total = summary.passed + summary.failed + summary.skipped;
  const title = summary.failed === 0 ? `All ${summary.passed} passed` : `${summary.failed} of ${total} failed`;
  const flaky = flakyIn(report);
  const failed = results.filter(({ status }) => status === 'failed');
  const end = html`<h2>Rule coverage</h2>
!${coverageTables(coverage)}!${lifecycle === null ? '' : chartSection(lifecycle, 0)}`;
  const symbols = pictureSymbols(new Set(results.flatMap(({ steps }) => steps.flatMap(createPictures))));
  const short = {
    rows: results.map((result) => scenarioRow(result, formatCount(result))),
    failures: failed.map(shortFailure),
  };
  const room = new PageSizeBudget(results.length, [
    style,
    end,
    symbols,
    ...groups.map(groupHeading),
    ...short.rows,
    ...short.failures,
  ]);
  const failureSections = failures(failed, { short: short.failures, room, shotIn });
  const rows = renderRows(results, short.rows, room);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${title} – NudgeLab</title>
<style>!${style}</style>
</head>
<body>
!${symbols}<main>
<h1>${title}</h1>
<p class="quiet">${durationText(summary.durationMs)}. ${origin === null ? '' : originText(origin)} ${changes === null ? '' : changesText(changes)}</p>
<table class="totals"><caption>By driver</caption>
<thead><tr><th scope="col">Driver</th><th scope="col">Passed</th><th scope="col">Failed</th><th scope="col">Skipped</th></tr></thead>
<tbody>!${[...Map.groupBy(results, ({ driver }) => driver)].map(([driver, of]) => driverRow(driver, of))}</tbody></table>
!${changes === null ? '' : changeList('Newly failed', changes.newlyFailed)}!${changes === null ? '' : changeList('Fixed', changes.fixed)}!${changeList('Flaky scenarios', flaky)}
!${failed.length === 0 ? '' : html`<h2>Failures</h2>!${failureSections}`}
<h2>Scenarios</h2>
<form class="filter" role="search" hidden>
<label>Find <input type="search" name="text" placeholder="Name, file or tag"></label>
<label>Status <select name="status"><option value="">any</option><option>passed</option><option>failed</option><option>skipped</option></select></label>
<output></output>
</form>
<div class="scroll" tabindex="0" role="region" aria-label="Scenarios"><table class="scenarios">
<thead><tr><th scope="col">Scenario</th><th scope="col">Driver</th><th scope="col">Status</th><th scope="col">Time</th></tr></thead>
!${grouped(groups, rows)}</table></div>
!${end}
</main>
<script>!${reportScript}</script>
</body>
</html>
`;
}

const style = `${reportStyle}${pictureStyle}${suiteStyle}`;

/** Results of one folder on one driver. */
interface ResultGroup {
  readonly folder: string;
  readonly driver: string;
  readonly results: readonly ScenarioResult[];
}

/** Groups results by folder and driver, in the order in which both first appear. */
function groupResults(results: readonly ScenarioResult[]): readonly ResultGroup[] {
  const byFolder = Map.groupBy(results, ({ file }) => file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  return [...byFolder].flatMap(([folder, inFolder]) =>
    [...Map.groupBy(inFolder, ({ driver }) => driver)].map(([driver, of]) => ({ folder, driver, results: of })),
  );
}

/** Renders the rows of each group below its heading. */
function grouped(groups: readonly ResultGroup[], rows: readonly string[]): readonly string[] {
  let first = 0;
  return groups.flatMap((group) => {
    const own = rows.slice(first, first + group.results.length);
    first += group.results.length;
    return [groupHeading(group), ...own];
  });
}

function groupHeading({ folder, driver, results }: ResultGroup): string {
  const counts = (['passed', 'failed', 'skipped'] as const)
    .map((status) => ({ status, count: results.filter((result) => result.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  return html`<tbody class="group"><tr><th colspan="4" scope="colgroup"><code>${folder === '' ? '.' : folder}</code> on ${driver} <span class="quiet">${counts.join(', ')}</span></th></tr></tbody>
`;
}

/** Formats the origin of a run as sentences. Instants are in UTC, to the minute. */
function originText({ endedAtMs, version, virtualMs }: RunOrigin): string {
  const [from, to] = [Math.min(...virtualMs), Math.max(...virtualMs)].map(formatMinute);
  const clocks =
    virtualMs.length === 0
      ? ''
      : from === to
        ? ` Virtual clocks start at ${from}.`
        : ` Virtual clocks start between ${from} and ${to}.`;
  return `Run on ${formatMinute(endedAtMs)} with NudgeLab ${version}.${clocks}`;
}

function formatMinute(atMs: number): string {
  return Number.isFinite(atMs) ? `${toInstant(atMs).slice(0, 16).replace('T', ' ')} UTC` : '';
}

function driverRow(driver: string, results: readonly ScenarioResult[]): string {
  const count = (wanted: ScenarioResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return html`<tr><th scope="row">${driver}</th><td>${count('passed')}</td><td>${count('failed')}</td><td>${count('skipped')}</td></tr>`;
}

function changeList(title: string, results: readonly ScenarioResult[]): string {
  if (results.length === 0) return '';
  return html`<h2>${title}</h2><ul>!${results.map(({ id, name, driver }) => html`<li><code>${id}</code> ${name} <span class="quiet">on ${driver}</span></li>`)}</ul>`;
}

function scenarioRow(result: ScenarioResult, steps: string): string {
  const { id, name, driver, status, durationMs, tags, message, traceId } = result;
  const trace = traceId === undefined ? '' : html`<br><span class="quiet">Trace <code>${traceId}</code></span>`;
  const said = status === 'skipped' && message !== undefined ? html`<br><span class="quiet">${message}</span>` : '';
  const words = `${id} ${name} ${tags.join(' ')}`.toLowerCase();
  return html`<tbody class="${status}" data-words="${words}"><tr><td><code>${id}</code><br>${name}!${said}!${trace}</td><td>${driver}</td><td class="status">${status}</td><td class="time">${durationText(durationMs)}</td></tr><tr><td colspan="4">!${steps}</td></tr></tbody>
`;
}

/** Renders the number of steps, which replaces a filmstrip that exceeds the page budget. */
function formatCount({ steps }: ScenarioResult): string {
  return html`${steps.length} steps`;
}

/** Renders the rows of all scenarios, with filmstrips as long as the page budget lasts. */
function renderRows(
  results: readonly ScenarioResult[],
  short: readonly string[],
  room: PageSizeBudget,
): readonly string[] {
  const fits = room.share(Number.POSITIVE_INFINITY);
  return results.map((result, index) => {
    const inShort = short[index] ?? '';
    const row = scenarioRow(result, renderFilmstrip(result.steps));
    return fits(row, inShort) ? row : inShort;
  });
}

interface FailureRoom {
  readonly short: readonly string[];
  readonly room: PageSizeBudget;
  readonly shotIn: (file: string) => string | null;
}

/**
 * Renders the failures in full as long as the page budget lasts, and then in short form with the command to repeat
 * them.
 */
function failures(results: readonly ScenarioResult[], { short, room, shotIn }: FailureRoom): string {
  const [fits, shotFits] = [room.share(wholeBytesMax), room.share(shotBytesMax)];
  let wholeCount = 0;
  const articles = results.map((result, index) => {
    const inShort = short[index] ?? '';
    const whole = failure(result);
    if (wholeCount < index || !fits(whole, inShort)) return inShort;
    wholeCount += 1;
    const shots = (result.evidence ?? []).flatMap((file) => shotIn(file) ?? []).filter((shot) => shotFits(shot));
    return shots.length === 0 ? whole : failure(result, shots);
  });
  if (wholeCount === results.length) return articles.join('');
  const note = html`<p class="quiet">The first ${wholeCount} failures are shown in full, the other ${results.length - wholeCount} in short; report.json contains all details.</p>`;
  return [note, ...articles].join('');
}

function coverageTables({ rules, assumptions, outcomesCovered, outcomesTotal, rulesets = [] }: CoverageReport): string {
  const isCounted = (kind: string): boolean => kind === 'gate' || kind === 'permission';
  return html`<p>${outcomesCovered} of ${outcomesTotal} rule outcomes covered.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Rules"><table class="coverage"><thead><tr><th scope="col">Rule</th><th scope="col">Summary</th><th scope="col">Met</th><th scope="col">Stopped</th><th scope="col">Not applicable</th><th scope="col">Observed</th></tr></thead>
<tbody>!${rules.map(({ id, summary, kind, met, stopped, notApplicable, observed: seen }) => {
    const counts = isCounted(kind) ? [met, stopped, notApplicable, null] : [null, null, null, seen];
    return html`<tr><th scope="row">${id}</th><td>${summary}</td>!${counts.map((count) => countCell(count))}</tr>`;
  })}</tbody></table></div>
<details><summary>Assumptions</summary><table><thead><tr><th scope="col">Assumption</th><th scope="col">Question</th><th scope="col">State</th></tr></thead>
<tbody>!${assumptions.map(({ id, question, state }) => html`<tr><th scope="row">${id}</th><td>${question}</td><td>${assumptionLabels[state]}</td></tr>`)}</tbody></table></details>
!${rulesets.map(rulesetTable)}`;
}

function rulesetTable({ ruleset, covered, total, items }: RulesetCoverage): string {
  return html`<details><summary>Ruleset ${ruleset}: ${covered} of ${total} items covered</summary><table class="coverage"><thead><tr><th scope="col">Item</th><th scope="col">Observed</th></tr></thead>
<tbody>!${items.map(({ item, seen }) => html`<tr><th scope="row">${item}</th>!${countCell(seen)}</tr>`)}</tbody></table></details>`;
}

function countCell(count: number | null): string {
  if (count === null) return '<td></td>';
  return html`<td class="${count === 0 ? 'count none' : 'count'}">${count}</td>`;
}
