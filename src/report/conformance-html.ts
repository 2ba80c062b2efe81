import { html } from 'ghtml';
import type { ConformanceReport, Misfit, MisfitCluster, RulesetFit } from '../contract/conformance-report.ts';
import { formatCount } from '../core/format-count.ts';
import { barChart } from './charts/bar-chart.ts';
import { chartFigure, figureStyle } from './charts/chart-figure.ts';
import { formatNearest, formatPercent, ruleName } from './conformance-text.ts';
import { reportStyle } from './html-report-parts.ts';
import { wholeText } from './text-table.ts';

/** Maximum number of patterns of a chart. All of them are in the table. */
const barsMax = 12;

/**
 * Renders the result of checking a log as a self-contained HTML file: which ruleset fits best, the patterns of impossible
 * events, and the first one of each user with what would fit.
 *
 * @param report - result of `checkLog`
 * @param source - name of the log
 */
export function conformanceHtml(report: ConformanceReport, source: string): string {
  const { events, ignored, unmapped, absentColumns, rulesets } = report;
  const [best] = rulesets;
  const title = `Does ${source} fit?`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} – NudgeLab</title>
<style>!${reportStyle}!${figureStyle}!${conformanceStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="quiet">${formatCount(events, 'event')} of ${formatCount(best?.users ?? 0, 'user')}${ignored === 0 ? '' : `; ${formatCount(ignored, 'event')} ignored`}.</p>
!${absentColumns.length === 0 ? '' : html`<p class="quiet">No row has what the mapping names: ${absentColumns.join(', ')}</p>`}
!${unmappedList(unmapped)}
!${rulesets.length > 1 ? ranking(rulesets) : ''}
!${rulesets.map(fitSection)}
</main>
</body>
</html>
`;
}

function unmappedList(unmapped: ConformanceReport['unmapped']): string {
  const values = Object.entries(unmapped);
  if (values.length === 0) return '';
  return html`<div class="warnings"><p>Values that the mapping lacks, whose events were not checked:</p><ul>!${values.map(([value, count]) => html`<li><code>${value}</code> ${formatCount(count, 'event')}</li>`)}</ul></div>`;
}

function ranking(rulesets: readonly RulesetFit[]): string {
  const row = ({ ruleset, share, fittingUsers, users, misfits }: RulesetFit): string =>
    html`<tr><th scope="row">${ruleset}</th><td>${formatPercent(share)}</td><td>${wholeText(fittingUsers)} of ${wholeText(users)}</td><td>${wholeText(misfits)}</td></tr>`;
  return html`<h2>Which ruleset explains the log best</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Rulesets, the best first"><table class="totals">
<thead><tr><th scope="col">Ruleset</th><th scope="col">Users that fit</th><th scope="col">Number</th><th scope="col">Impossible events</th></tr></thead>
<tbody>!${rulesets.map(row)}</tbody></table></div>
`;
}

function fitSection(fit: RulesetFit, number: number): string {
  const { ruleset, fits, fittingUsers, users, share, misfits, clusters, examples, unstated } = fit;
  const hidden = users - fittingUsers - examples.length;
  return html`<section class="${fits ? 'passed' : 'failed'}">
<h2>${ruleset}: <span class="status">${fits ? 'fits' : 'does not fit'}</span></h2>
<dl class="facts">
!${figure('Users that fit', formatPercent(share), `${wholeText(fittingUsers)} of ${wholeText(users)}`)}
!${figure('Impossible events', wholeText(misfits), `in ${formatCount(clusters.length, 'pattern')}`)}
</dl>
!${unstated.length === 0 ? '' : html`<p class="quiet">Not in the log, so that any value may apply: !${unstated.map((path) => html`<code>${path}</code>`).join(', ')}.</p>`}
!${clusters.length === 0 ? '' : patternChart(ruleset, clusters, number)}
!${clusters.length === 0 ? '' : patternTable(ruleset, clusters)}
!${examples.length === 0 ? '' : html`<h3>First impossible event of each user</h3>`}
!${examples.map(misfitArticle)}
!${hidden > 0 && examples.length > 0 ? html`<p class="quiet">${formatCount(hidden, 'more user')} not shown.</p>` : ''}
</section>
`;
}

function figure(name: string, value: string, note: string): string {
  return html`<div><dt>${name}</dt><dd><strong>${value}</strong><span class="quiet">${note}</span></dd></div>`;
}

function patternChart(of: string, clusters: readonly MisfitCluster[], number: number): string {
  const shown = clusters.slice(0, barsMax);
  const text = {
    id: `patterns-${number}`,
    title: 'Impossible events by rule',
    description: 'Number of impossible events of the most frequent patterns, by the rule that they contradict.',
  };
  const names = shown.map(({ rule, code }, at) => `${at + 1}. ${ruleName(rule, code)}`);
  const svg = barChart({
    ...text,
    bars: shown.map(({ events }, at) => ({ name: names[at] ?? '', from: 0, to: events })),
    mark: null,
    fromZero: true,
    valueText: wholeText,
  });
  const rows = shown.map(({ events }, at) => [names[at] ?? '', events]);
  return chartFigure({ ...text, svg, lines: [], head: ['Pattern', 'Events'], rows }, of);
}

function patternTable(of: string, clusters: readonly MisfitCluster[]): string {
  const row = ({ rule, code, pattern, events, users, example }: MisfitCluster, at: number): string =>
    html`<tr><td class="count">${at + 1}</td><th scope="row">${ruleName(rule, code)}</th><td>${pattern}</td><td class="count">${wholeText(events)}</td><td class="count">${wholeText(users)}</td><td>${example.user}, line ${example.line}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Patterns, ${of}"><table><caption>Patterns of impossible events</caption>
<thead><tr><th scope="col">No.</th><th scope="col">Rule</th><th scope="col">Pattern</th><th scope="col">Events</th><th scope="col">Users, first</th><th scope="col">Example</th></tr></thead>
<tbody>!${clusters.map(row)}</tbody></table></div>
`;
}

function misfitArticle({ user, line, at, until, rule, code, sentence, possible, allowed, nearest }: Misfit): string {
  const time = at === until ? at : `between ${at} and ${until}`;
  return html`<article>
<h4>User ${user}, line ${line}</h4>
<p class="quiet">${time}</p>
<p><strong>${ruleName(rule, code)}</strong> ${sentence}</p>
<dl class="explained">
<dt>Before</dt><dd>${possible.join('; or ')}</dd>
<dt>Allowed</dt><dd>${allowed.length === 0 ? 'nothing at this time' : allowed.join(', ')}</dd>
<dt>Fits if</dt><dd>${nearest.map(formatNearest).join('; or ')}</dd>
</dl>
</article>
`;
}

const conformanceStyle = `
:root{--faint:var(--quiet)}
section{margin-top:2rem;border-top:1px solid var(--edge)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem;margin:1rem 0}
.facts div{padding:.75rem 1rem;background:var(--card);border:1px solid var(--edge);border-radius:8px}
.facts dt{color:var(--quiet);font-size:.875rem}.facts dd{margin:0}.facts strong{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
.warnings{padding:.25rem 1rem;background:var(--card);border:1px solid var(--edge);border-inline-start:4px solid var(--doubt);border-radius:8px}
figure{margin:1.5rem 0;padding:1rem;background:var(--card);border:1px solid var(--edge);border-radius:8px}
figure .chart{background:transparent}figure .scroll{max-height:24rem;overflow:auto}
.totals thead th:not(:first-child),figure td,figure thead th:not(:first-child){text-align:end;font-variant-numeric:tabular-nums}
.explained{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0}.explained dt{color:var(--quiet)}.explained dd{margin:0;overflow-wrap:anywhere}
@media (max-width:40rem){.explained{grid-template-columns:1fr}.totals th,.totals td{padding:.3rem .4rem}}
`;
