import type { AssumptionCoverage, CoverageReport, RulesetCoverage } from '../contract/result.schema.ts';
import { type CoverageGap, coverageGaps, isGate } from './coverage-gaps.ts';
import type { Palette } from './palette.ts';

/** Labels of the states of assumptions. */
export const assumptionLabels: Readonly<Record<AssumptionCoverage['state'], string>> = {
  confirmed: 'confirmed',
  claimedOnly: 'claimed only',
  uncovered: 'uncovered',
};

/** Maximum number of gaps and assumptions that are listed by name. More are only counted. */
const namedMax = 24;

/**
 * Formats the rules that one file exercised, for a terminal. What other files cover is not known, so it has no gaps.
 * The text is empty if the file covers none, as after a failure.
 */
export function fileCoverageText({ rules, rulesets = [] }: CoverageReport, columns: number, palette: Palette): string {
  const covered = rules.filter((rule) => (isGate(rule) ? rule.met + rule.stopped : rule.observed) > 0);
  const counts = covered.map((rule) =>
    isGate(rule) ? `${rule.id} ${rule.met}/${rule.stopped}` : `${rule.id} ${rule.observed}`,
  );
  const own = rulesets.map((one) => rulesetLine(one, palette));
  if (counts.length === 0) return own.length === 0 ? '' : `${own.join('\n')}\n`;
  return [
    `${palette.strong('Rules that this file covers')} (met/stopped)`,
    ...inColumns(counts, columns),
    ...own,
    '',
  ].join('\n');
}

/** Formats rule coverage for a terminal: counts per rule in columns, then the gaps. The width is in characters. */
export function coverageText(coverage: CoverageReport, columns: number, palette: Palette): string {
  const gates = coverage.rules.filter((rule) => isGate(rule) && rule.met + rule.stopped > 0);
  const others = coverage.rules.filter((rule) => !isGate(rule) && rule.observed > 0);
  const own = (coverage.rulesets ?? []).map((one) => rulesetLine(one, palette));
  // A suite of own campaigns alone exercises no rule of the built-in ones.
  if (own.length > 0 && gates.length + others.length === 0) return [...own, ''].join('\n');
  return [
    `${palette.strong('Rule coverage')}: ${coverage.outcomesCovered} of ${coverage.outcomesTotal} rule outcomes (met/stopped)`,
    ...inColumns(
      gates.map(({ id, met, stopped }) => `${id} ${met}/${stopped}`),
      columns,
    ),
    ...(others.length === 0 ? [] : ['Rules that cannot stop a prompt, by number of observations']),
    ...inColumns(
      others.map(({ id, observed: seen }) => `${id} ${seen}`),
      columns,
    ),
    gapLine(coverageGaps(coverage), palette),
    assumptionLine(coverage.assumptions, palette),
    ...own,
    '',
  ].join('\n');
}

/** Formats rule coverage as a Markdown page with the state of every rule and assumption. */
export function coverageMarkdown(coverage: CoverageReport): string {
  const rules = coverage.rules.map((rule) => {
    const counts = isGate(rule) ? [rule.met, rule.stopped, rule.notApplicable, ''] : ['', '', '', rule.observed];
    return [rule.id, rule.summary, ...counts.map(String)];
  });
  const assumptions = coverage.assumptions.map(({ id, question, state }) => [id, question, assumptionLabels[state]]);
  return [
    '# Rule coverage',
    '',
    `${coverage.outcomesCovered} of ${coverage.outcomesTotal} rule outcomes are covered.`,
    '',
    ...markdownTable(['Rule', 'Summary', 'Met', 'Stopped', 'Not applicable', 'Observed'], rules),
    '',
    '## Not covered',
    '',
    ...listed(coverageGaps(coverage).map(gapText)),
    '',
    '## Assumptions',
    '',
    ...markdownTable(['Assumption', 'Question', 'State'], assumptions),
    '',
    ...(coverage.rulesets ?? []).flatMap(({ ruleset, covered, total, items }) => [
      `## Ruleset ${ruleset}`,
      '',
      `${covered} of ${total} items are covered.`,
      '',
      ...markdownTable(
        ['Item', 'Observed'],
        items.map(({ item, seen }) => [item, String(seen)]),
      ),
      '',
    ]),
  ].join('\n');
}

/** Formats the coverage of one ruleset with the base own, with what no scenario covered. */
function rulesetLine({ ruleset, covered, total, items }: RulesetCoverage, { strong, faint }: Palette): string {
  const missing = items.filter(({ seen }) => seen === 0).map(({ item }) => item);
  const head = `${strong(`Ruleset ${ruleset}`)}: ${covered} of ${total} items`;
  return missing.length === 0
    ? head
    : `${head}; ${faint(`not covered: ${missing.length <= namedMax ? missing.join(', ') : `${missing.length} items, which coverage.md in the folder of --report lists`}`)}`;
}

function gapLine(gaps: readonly CoverageGap[], palette: Palette): string {
  if (gaps.length === 0) return palette.good('All outcomes are covered.');
  return `${palette.doubtful('Not covered')}: ${few(gaps.map(gapText))}`;
}

function gapText({ id, missing }: CoverageGap): string {
  return missing === 'seen' ? id : `${id} ${missing}`;
}

function assumptionLine(assumptions: readonly AssumptionCoverage[], palette: Palette): string {
  const parts = (['confirmed', 'claimedOnly', 'uncovered'] as const).map((state) => {
    const ids = assumptions.filter((assumption) => assumption.state === state).map(({ id }) => id);
    const named = state === 'confirmed' || ids.length === 0 || ids.length > namedMax ? '' : ` (${ids.join(', ')})`;
    const text = `${ids.length} ${assumptionLabels[state]}${named}`;
    return state === 'uncovered' && ids.length > 0 ? palette.doubtful(text) : text;
  });
  return `Assumptions: ${parts.join(', ')}`;
}

/** Lists names if they are few, and otherwise returns their number. A partial run leaves most rules uncovered. */
function few(names: readonly string[]): string {
  return names.length <= namedMax
    ? names.join(', ')
    : `${names.length} rules and outcomes; coverage.md in the folder of --report lists them`;
}

function inColumns(cells: readonly string[], columns: number): readonly string[] {
  const width = Math.max(...cells.map(({ length }) => length), 1) + 2;
  const perLine = Math.max(1, Math.floor((columns - 2) / width));
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += perLine) {
    const line = cells.slice(start, start + perLine).map((cell) => cell.padEnd(width));
    lines.push(`  ${line.join('').trimEnd()}`);
  }
  return lines;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`);
}

function listed(items: readonly string[]): readonly string[] {
  return items.length === 0 ? ['None: every outcome is covered.'] : items.map((item) => `- ${item}`);
}
