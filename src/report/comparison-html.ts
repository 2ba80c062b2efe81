import { html } from 'ghtml';
import type { Changes, ComparedVariant, Comparison, OwnComparison } from '../contract/comparison.schema.ts';
import { formatCount } from '../core/format-count.ts';
import { chartFigure, figureStyle } from './charts/chart-figure.ts';
import type { ChartText } from './charts/chart-frame.ts';
import { groupedBarChart } from './charts/grouped-bar-chart.ts';
import { lineChart } from './charts/line-chart.ts';
import { sideText } from './comparison-text.ts';
import { reportStyle } from './html-report-parts.ts';
import { wholeText } from './text-table.ts';

/** Maximum number of bars in one chart. Further values are in the rule table or in the JSON report. */
const barsMax = 12;

/** Renders a comparison as a self-contained HTML file with key figures, charts and tables. */
export function comparisonHtml(comparison: Comparison): string {
  const { source, attempts, users, from, to, assumedAction, baseRuleset, baseWarnings, variants } = comparison;
  const names = variants.map(({ name }) => name).join(', ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What would change under ${names} – NudgeLab</title>
<style>!${reportStyle}!${figureStyle}!${comparisonStyle}</style>
</head>
<body>
<main>
<h1>What would change under ${names}</h1>
<p class="quiet">${formatCount(attempts, 'sign-in attempt')} and ${formatCount(users, 'user')} in ${source}, ${formatDate(from)} to ${formatDate(to)}. The history is evaluated by the ruleset ${baseRuleset}. Where no one answered, <strong>${assumedAction}</strong> is assumed; what rests on that is counted apart.</p>
!${warningList(baseWarnings)}
<details class="note"><summary>What is certain and what is assumed</summary>
<p>An answer that someone gave applies where the same prompt appears; where it does not, it is inapplicable. Where a prompt is new, the answer <strong>${assumedAction}</strong> is assumed. What follows for that user rests on it and is counted as assumed; everything before is certain. An export of a tenant holds no answers, so that all of its answers are assumed, before and after alike.</p></details>
!${variants.length > 1 ? sideBySide(variants) : ''}
!${variants.map(variantSection)}
</main>
</body>
</html>
`;
}

/** Renders the key figures of all variants side by side, to support a choice between them. */
function sideBySide(variants: Comparison['variants']): string {
  const row = ({ name, totals, users, requiredAtNextSignIn }: ComparedVariant): string =>
    html`<tr><th scope="row">${name}</th><td>${wholeText(both(totals, 'promptedInBaseline'))}</td><td>${wholeText(both(totals, 'promptedInVariant'))}</td><td>${wholeText(both(totals, 'requiredAfter'))}</td><td>${wholeText(users.changed)}</td><td>${wholeText(requiredAtNextSignIn.ifAppliedNow.users)}</td></tr>`;
  return html`<h2>Side by side</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Side by side"><table class="totals">
<thead><tr><th scope="col">Variant</th><th scope="col">Prompted, baseline</th><th scope="col">Prompted, variant</th><th scope="col">Required, variant</th><th scope="col">Users affected</th><th scope="col">Required at next sign-in, if applied now</th></tr></thead>
<tbody>!${variants.map(row)}</tbody></table></div>
`;
}

function variantSection(variant: ComparedVariant, number: number): string {
  const {
    name,
    ruleset,
    users,
    actions: answers,
    requiredAtNextSignIn,
    warnings,
    byDay,
    byPlatform,
    byGroup,
  } = variant;
  const { ifAppliedNow, ifAppliedThroughout } = requiredAtNextSignIn;
  const difference = both(variant.totals, 'promptedInVariant') - both(variant.totals, 'promptedInBaseline');
  return html`<section>
<h2>${name} <span class="quiet">ruleset ${ruleset}</span></h2>
!${warningList(warnings)}
<dl class="facts">
!${fact('Attempts with a prompt', `${wholeText(both(variant.totals, 'promptedInBaseline'))} → ${wholeText(both(variant.totals, 'promptedInVariant'))}`, `${difference >= 0 ? '+' : '−'}${wholeText(Math.abs(difference))}`)}
!${fact('Users affected', wholeText(users.changed), `of ${wholeText(users.all)}; ${wholeText(users.newlyPrompted)} newly prompted, ${wholeText(users.noLongerPrompted)} no longer prompted`)}
!${fact('Required at their next sign-in', wholeText(ifAppliedNow.users), `if applied now, ${wholeText(ifAppliedNow.stillSnoozing)} more after their snooze; ${wholeText(ifAppliedThroughout.users)} if applied throughout`)}
!${answersFact(answers)}!${variant.own === undefined ? '' : ownFacts(variant.own)}
</dl>!${variant.own === undefined ? '' : defaultsTable(name, variant.own)}
!${totalsTable(variant)}
!${partsChart(name, { id: `days-${number}`, title: 'Prompts per day', description: 'Number of attempts with a prompt, by day.' }, 'Day', byDay)}
!${rulesChart(`rules-${number}`, variant)}
!${partsChart(name, { id: `platforms-${number}`, title: 'Prompts by platform', description: 'Number of attempts with a prompt, by the device and browser that determine the platform.' }, 'Platform', byPlatform)}
!${partsChart(name, { id: `groups-${number}`, title: 'Prompts by group', description: 'Number of attempts with a prompt, by the groups that users are direct members of.' }, 'Group', byGroup)}
!${rulesTable(variant)}
</section>
`;
}

/** Renders the numbers of recorded and assumed actions. A tenant export contains no recorded actions. */
function answersFact({ applied, inapplicable, assumed }: ComparedVariant['actions']): string {
  if (applied + inapplicable === 0) return fact('Answers assumed', wholeText(assumed), 'none recorded');
  const rest = `recorded actions apply; ${wholeText(inapplicable)} no longer applicable, ${wholeText(assumed)} assumed`;
  return fact('Answers', wholeText(applied), rest);
}

/** Renders the blocked sign-ins of an own campaign, and the verdicts that depend on a default. */
function ownFacts({ newlyBlocked, usersNewlyBlocked, blockedAtNextSignIn, defaults }: OwnComparison): string {
  const { ifAppliedNow, ifAppliedThroughout } = blockedAtNextSignIn;
  const blocked = `of ${formatCount(usersNewlyBlocked, 'user')}; at the next sign-in, ${wholeText(ifAppliedNow)} if applied now, ${wholeText(ifAppliedThroughout)} if applied throughout`;
  return [
    fact('Newly blocked attempts', wholeText(newlyBlocked.certain + newlyBlocked.assumed), blocked),
    fact('Verdicts that depend on a default', wholeText(defaults.verdicts), 'of a fact that the history lacks'),
  ].join('');
}

/** Renders the facts that the history lacks, with the verdicts that depend on their defaults. */
function defaultsTable(of: string, { defaults: { facts } }: OwnComparison): string {
  if (facts.length === 0) return '';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Defaults, ${of}"><table class="totals"><caption>Verdicts that depend on the default of a fact that the history lacks</caption>
<thead><tr><th scope="col">Fact</th><th scope="col">Verdicts</th></tr></thead>
<tbody>!${facts.map((one) => html`<tr><th scope="row">${one.fact}</th><td>${wholeText(one.verdicts)}</td></tr>`)}</tbody></table></div>
`;
}

function fact(name: string, value: string, note: string): string {
  return html`<div><dt>${name}</dt><dd><strong>${value}</strong><span class="quiet">${note}</span></dd></div>`;
}

function warningList(warnings: Comparison['baseWarnings']): string {
  if (warnings.length === 0) return '';
  return html`<ul class="warnings">!${warnings.map(({ code, rule, message }) => html`<li><strong>${rule}</strong> ${message} <code>${code}</code></li>`)}</ul>`;
}

function totalsTable({ name: of, totals: { certain, assumed } }: ComparedVariant): string {
  const rows: readonly (readonly [string, keyof Changes])[] = [
    ['Attempts', 'attempts'],
    ['Prompted, baseline', 'promptedInBaseline'],
    ['Prompted, variant', 'promptedInVariant'],
    ['Newly prompted', 'newlyPrompted'],
    ['No longer prompted', 'noLongerPrompted'],
    ['Required, baseline', 'requiredBefore'],
    ['Required, variant', 'requiredAfter'],
    ['Newly required', 'newlyRequired'],
    ['No longer required', 'noLongerRequired'],
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Attempts, ${of}"><table class="totals"><caption>Attempts</caption>
<thead><tr><td></td><th scope="col">Certain</th><th scope="col">Assumed</th><th scope="col">Total</th></tr></thead>
<tbody>!${rows.map(([name, key]) => html`<tr><th scope="row">${name}</th><td>${wholeText(certain[key])}</td><td>${wholeText(assumed[key])}</td><td>${wholeText(certain[key] + assumed[key])}</td></tr>`)}</tbody></table></div>
`;
}

/** Renders a chart of prompts before and after, by day or by part of the tenant. */
function partsChart(
  of: string,
  text: ChartText,
  placeName: 'Day' | 'Platform' | 'Group',
  parts: ComparedVariant['byDay'],
): string {
  const rows = Object.entries(parts);
  if (rows.length === 0) return '';
  const shown =
    placeName === 'Day'
      ? rows
      : rows.toSorted(([, a], [, b]) => both(b, 'attempts') - both(a, 'attempts')).slice(0, barsMax);
  const createSeries = (name: string, key: keyof Changes): Series => ({
    name,
    values: shown.map(([, split]) => both(split, key)),
  });
  const series = [
    createSeries('baseline', 'promptedInBaseline'),
    createSeries('variant', 'promptedInVariant'),
    createSeries('required', 'requiredAfter'),
  ];
  const places = shown.map(([name]) => name);
  return drawn(of, text, { placeName, places, series });
}

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** Data of a chart: its categories with their name, and the series. */
interface Plotted {
  readonly placeName: string;
  readonly places: readonly string[];
  readonly series: readonly Series[];
}

/** Renders a chart with its table for one variant. Days are drawn as lines, and everything else as bars. */
function drawn(of: string, text: ChartText, { placeName, places, series }: Plotted): string {
  const svg =
    placeName === 'Day'
      ? lineChart({
          ...text,
          labels: places,
          series: series.map((one) => ({ ...one, band: null })),
          valueText: wholeText,
        })
      : groupedBarChart({ ...text, places, series, valueText: wholeText });
  const rows = places.map((place, index) => [place, ...series.map(({ values }) => values[index] ?? 0)]);
  const lines = placeName === 'Day' ? series.map(({ name }) => name) : [];
  return chartFigure({ ...text, svg, lines, head: [placeName, ...series.map(({ name }) => name)], rows }, of);
}

function changedRules({ byRule }: ComparedVariant): ComparedVariant['byRule'] {
  return byRule.filter(({ before, after }) => sideText(before) !== sideText(after));
}

function rulesChart(id: string, variant: ComparedVariant): string {
  const rows = changedRules(variant).slice(0, barsMax);
  if (rows.length === 0) return html`<p>No verdicts change.</p>`;
  const text = {
    id,
    title: 'Changes by rule',
    description: 'Attempts with a different verdict: baseline → variant, with the first rule that stops the prompt.',
  };
  const places = rows.map(({ before, after }) => `${sideText(before)} → ${sideText(after)}`);
  const series = [
    { name: 'certain', values: rows.map(({ certain }) => certain) },
    { name: 'assumed', values: rows.map(({ assumed }) => assumed) },
  ];
  return drawn(variant.name, text, { placeName: 'Baseline → variant', places, series });
}

function rulesTable(variant: ComparedVariant): string {
  const rows = variant.byRule;
  return html`<details><summary>All verdicts, baseline and variant</summary><div class="scroll" tabindex="0" role="region" aria-label="By rule, ${variant.name}"><table>
<thead><tr><th scope="col">Baseline</th><th scope="col">Variant</th><th scope="col">Certain</th><th scope="col">Assumed</th></tr></thead>
<tbody>!${rows.map(({ before, after, certain, assumed }) => html`<tr><td>${sideText(before)}</td><td>${sideText(after)}</td><td class="count">${wholeText(certain)}</td><td class="count">${wholeText(assumed)}</td></tr>`)}</tbody></table></div></details>
`;
}

function both({ certain, assumed }: ComparedVariant['totals'], key: keyof Changes): number {
  return certain[key] + assumed[key];
}

function formatDate(instant: string | null): string {
  return instant === null ? 'never' : instant.slice(0, 'YYYY-MM-DD'.length);
}

const comparisonStyle = `
:root{--faint:var(--quiet)}
section{margin-top:2rem;border-top:1px solid var(--edge)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem;margin:1rem 0}
.facts div{padding:.75rem 1rem;background:var(--card);border:1px solid var(--edge);border-radius:8px}
.facts dt{color:var(--quiet);font-size:.875rem}.facts dd{margin:0}.facts strong{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
.warnings{padding:.75rem 1rem .75rem 2rem;background:var(--card);border:1px solid var(--edge);border-inline-start:4px solid var(--doubt);border-radius:8px}
@media (max-width:40rem){.totals th,.totals td{padding:.3rem .4rem}}
figure{margin:1.5rem 0;padding:1rem;background:var(--card);border:1px solid var(--edge);border-radius:8px}
figure .chart{background:transparent}figure .scroll{max-height:24rem;overflow:auto}
figure td,figure thead th:not(:first-child){text-align:end;font-variant-numeric:tabular-nums}
td.count,.totals td,.totals thead th:not(:first-child){text-align:end;font-variant-numeric:tabular-nums}
details{margin:.5rem 0}.note p{max-width:60rem}
`;
