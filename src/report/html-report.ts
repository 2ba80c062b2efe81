import { html } from 'ghtml';
import type { CoverageReport, Mismatch, RunReport, ScenarioResult, StepResult } from '../contract/result.ts';
import { differencesBetween } from './differences.ts';
import { durationText } from './duration.ts';
import { failureHeadline } from './failure-text.ts';
import { reportScript, reportStyle } from './html-report-parts.ts';
import { flakyIn, type RunChanges } from './run-changes.ts';
import { changesText } from './summary-markdown.ts';
import { valueText } from './trace-text.ts';

/** Characters that failures told whole may take together, so that the page stays small when everything failed. */
const failureCharactersMax = 800_000;

/**
 * The run as one HTML file that needs nothing else: totals, each scenario as a film of its steps, what failed with the trace of
 * its rules and the command that repeats it, and rule coverage. Takes a report without secrets, and what changed since an
 * earlier run, `null` without one; and the file beside it that shows the lifecycle as a statechart, `null` without one.
 */
export function reportHtml(report: RunReport, changes: RunChanges | null, lifecyclePage: string | null = null): string {
  const { summary, results, coverage } = report;
  const total = summary.passed + summary.failed + summary.skipped;
  const title = summary.failed === 0 ? `All ${summary.passed} passed` : `${summary.failed} of ${total} failed`;
  const flaky = flakyIn(report);
  const failed = results.filter(({ status }) => status === 'failed');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src 'self'">
<title>${title} – NudgeLab</title>
<style>!${reportStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="quiet">${durationText(summary.durationMs)}. ${changes === null ? '' : changesText(changes)}</p>
<table class="totals"><caption>By driver</caption>
<thead><tr><th scope="col">Driver</th><th scope="col">Passed</th><th scope="col">Failed</th><th scope="col">Skipped</th></tr></thead>
<tbody>!${[...Map.groupBy(results, ({ driver }) => driver)].map(([driver, of]) => driverRow(driver, of))}</tbody></table>
!${changes === null ? '' : changeList('Newly failed', changes.newlyFailed)}!${changes === null ? '' : changeList('Fixed', changes.fixed)}!${changeList('Passed and failed in one run', flaky)}
!${failed.length === 0 ? '' : html`<h2>What failed</h2>!${failures(failed)}`}
<h2>Scenarios</h2>
<form class="filter" role="search" hidden>
<label>Find <input type="search" name="text" placeholder="Name, file or tag"></label>
<label>Status <select name="status"><option value="">any</option><option>passed</option><option>failed</option><option>skipped</option></select></label>
<output></output>
</form>
<div class="scroll" tabindex="0" role="region" aria-label="Scenarios"><table class="scenarios">
<thead><tr><th scope="col">Scenario</th><th scope="col">Driver</th><th scope="col">Status</th><th scope="col">Time</th><th scope="col">Steps</th></tr></thead>
<tbody>!${results.map(scenarioRow)}</tbody></table></div>
<h2>Rule coverage</h2>
!${lifecyclePage === null ? '' : html`<p><a href="${lifecyclePage}">The lifecycle as a statechart, coloured by what was taken</a></p>`}!${coverageTables(coverage)}
</main>
<script>!${reportScript}</script>
</body>
</html>
`;
}

function driverRow(driver: string, results: readonly ScenarioResult[]): string {
  const count = (wanted: ScenarioResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return html`<tr><th scope="row">${driver}</th><td>${count('passed')}</td><td>${count('failed')}</td><td>${count('skipped')}</td></tr>`;
}

function changeList(title: string, results: readonly ScenarioResult[]): string {
  if (results.length === 0) return '';
  return html`<h2>${title}</h2><ul>!${results.map(({ id, name, driver }) => html`<li><code>${id}</code> ${name} <span class="quiet">on ${driver}</span></li>`)}</ul>`;
}

function scenarioRow({ id, name, driver, status, durationMs, steps, tags, message }: ScenarioResult): string {
  const said = status === 'skipped' && message !== undefined ? html`<br><span class="quiet">${message}</span>` : '';
  const words = `${id} ${name} ${tags.join(' ')}`.toLowerCase();
  return html`<tr class="${status}" data-words="${words}"><td><code>${id}</code><br>${name}!${said}</td><td>${driver}</td><td class="status">${status}</td><td class="time">${durationText(durationMs)}</td><td>!${film(steps)}</td></tr>
`;
}

/** The steps of a scenario in a row, each with the screen that it led to and how it went. */
function film(steps: readonly StepResult[]): string {
  return html`<ol class="film">!${steps.map(frame)}</ol>`;
}

/** One step: its verb, the screen where it ended, and why a sign-in was not asked. */
function frame({ kind, status, page, reason }: StepResult): string {
  const screen = page === undefined ? '' : html` <b>${page}</b>`;
  const why = typeof reason === 'string' ? html` <small>${reason}</small>` : '';
  return html`<li!${status === 'passed' ? '' : html` class="${status}"`}>${kind}!${screen}!${why}</li>`;
}

/** Each failure: whole while there is room for that, then what went wrong first and how to repeat it. */
function failures(results: readonly ScenarioResult[]): string {
  const whole: string[] = [];
  let characters = 0;
  for (const result of results) {
    const article = failure(result);
    characters += article.length;
    if (characters > failureCharactersMax) break;
    whole.push(article);
  }
  const rest = results.slice(whole.length);
  if (rest.length === 0) return whole.join('');
  const note = html`<p class="quiet">The first ${whole.length} failures are told whole, the other ${rest.length} in short; report.json has them whole.</p>`;
  return [note, ...whole, ...rest.map(shortFailure)].join('');
}

function shortFailure(result: ScenarioResult): string {
  const { id, name, driver, command } = result;
  return html`<article class="failed"><h3>${name}</h3><p><code>${id}</code> on ${driver}</p>
<p>${failureHeadline(result)}</p><p>Repeat it: <code class="command">${command}</code></p></article>`;
}

function failure(result: ScenarioResult): string {
  const { id, name, driver, message, steps, unconfirmed, evidence = [], command } = result;
  const claims =
    unconfirmed.length === 0
      ? ''
      : html`<p>It claims to cover ${unconfirmed.join(', ')}, and nothing that it did shows that.</p>`;
  return html`<article class="failed"><h3>${name}</h3><p><code>${id}</code> on ${driver}</p>
!${message === undefined ? '' : html`<p>${message}</p>`}!${film(steps)}!${steps.filter(({ status }) => status === 'failed').map((step) => failedStep(result, step))}!${claims}
!${evidence.length === 0 ? '' : html`<p>Evidence: !${evidence.map((file) => html`<a href="${encodeURI(file)}">${file}</a> `)}</p>`}
<p>Repeat it: <code class="command">${command}</code></p></article>`;
}

function failedStep({ file }: ScenarioResult, { kind, line, mismatches, reason, rules = [] }: StepResult): string {
  const verdict = reason === undefined ? '' : html`<p>Verdict: ${reason ?? 'no reason, so the user is prompted'}</p>`;
  const trace =
    rules.length === 0
      ? ''
      : html`<details><summary>The rules in order</summary><table class="trace"><thead><tr><th scope="col">Rule</th><th scope="col">Outcome</th><th scope="col">What it looked at</th></tr></thead><tbody>!${rules.map(
          (rule) =>
            html`<tr class="${rule.outcome}"><th scope="row">${rule.id}</th><td>${rule.outcome === 'stopped' ? `stopped: ${rule.reason}` : rule.outcome}</td><td><code>${valueText(rule.saw)}</code></td></tr>`,
        )}</tbody></table></details>`;
  return html`<section><h4>${file}:${line} ${kind}</h4><table><thead><tr><th scope="col">What</th><th scope="col">Expected</th><th scope="col">Actual</th></tr></thead><tbody>!${mismatches.flatMap(mismatchRows)}</tbody></table>!${verdict}!${trace}</section>`;
}

function mismatchRows(mismatch: Mismatch): readonly string[] {
  const { key, message } = mismatch;
  if (key === 'step')
    return [html`<tr><td>step</td><td colspan="2">${message ?? 'The step could not be done.'}</td></tr>`];
  const rows = differencesBetween(mismatch.expected, mismatch.actual).map(
    ({ path, expected, actual }) =>
      html`<tr><th scope="row">${path === '' ? key : `${key}.${path}`}</th><td><code>${valueText(expected)}</code></td><td><code>${valueText(actual)}</code></td></tr>`,
  );
  return message === undefined ? rows : [...rows, html`<tr><td colspan="3">${message}</td></tr>`];
}

function coverageTables({ rules, assumptions, outcomesSeen, outcomesPossible }: CoverageReport): string {
  const isCounted = (kind: string): boolean => kind === 'gate' || kind === 'permission';
  return html`<p>${outcomesSeen} of ${outcomesPossible} outcomes of gates were seen.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Rules"><table class="coverage"><thead><tr><th scope="col">Rule</th><th scope="col">What it says</th><th scope="col">Met</th><th scope="col">Stopped</th><th scope="col">Not applicable</th><th scope="col">Seen</th></tr></thead>
<tbody>!${rules.map(({ id, summary, kind, met, stopped, notApplicable, seen }) => {
    const counts = isCounted(kind) ? [met, stopped, notApplicable, null] : [null, null, null, seen];
    return html`<tr><th scope="row">${id}</th><td>${summary}</td>!${counts.map((count) => countCell(count))}</tr>`;
  })}</tbody></table></div>
<details><summary>Assumptions</summary><table><thead><tr><th scope="col">Assumption</th><th scope="col">Question</th><th scope="col">State</th></tr></thead>
<tbody>!${assumptions.map(({ id, question, state }) => html`<tr><th scope="row">${id}</th><td>${question}</td><td>${state}</td></tr>`)}</tbody></table></details>`;
}

function countCell(count: number | null): string {
  if (count === null) return '<td></td>';
  return html`<td class="${count === 0 ? 'count none' : 'count'}">${count}</td>`;
}
