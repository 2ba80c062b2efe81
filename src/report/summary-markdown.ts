import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';
import { durationText } from './duration.ts';
import { failureHeadline } from './failure-text.ts';
import { flakyIn, type RunChanges } from './run-changes.ts';

/** Maximum number of failures listed in the summary. */
const failuresShownMax = 50;

/**
 * Formats a run as short Markdown for a job summary. The report must not contain secrets. `changes` are relative to
 * an earlier run.
 */
export function summaryMarkdown(report: RunReport, changes: RunChanges | null): string {
  const { summary, results, coverage } = report;
  const failed = results.filter(({ status }) => status === 'failed');
  return [
    `# ${failed.length === 0 ? 'All scenarios passed' : `${failed.length} of ${results.length} scenarios failed`}`,
    '',
    '| Driver | Passed | Failed | Skipped |',
    '| --- | ---: | ---: | ---: |',
    ...[...Map.groupBy(results, ({ driver }) => driver)].map(([driver, of]) => driverRow(driver, of)),
    '',
    `${durationText(summary.durationMs)}, ${coverage.outcomesCovered} of ${coverage.outcomesTotal} rule outcomes covered.`,
    ...(changes === null ? [] : ['', changesText(changes)]),
    ...listed('Failed', failed),
    ...listed('Flaky scenarios', flakyIn(report)),
    '',
  ].join('\n');
}

/** Describes the changes since an earlier run in one sentence. */
export function changesText({ newlyFailed, fixed, stillFailed, added, removed }: RunChanges): string {
  return [
    `Since the baseline: ${newlyFailed.length} newly failed`,
    `${fixed.length} fixed`,
    `${stillFailed.length} still failing`,
    `${added} added`,
    `${removed} removed.`,
  ].join(', ');
}

function driverRow(driver: string, results: readonly ScenarioResult[]): string {
  const count = (wanted: ScenarioResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return `| ${cell(driver)} | ${count('passed')} | ${count('failed')} | ${count('skipped')} |`;
}

function listed(title: string, results: readonly ScenarioResult[]): readonly string[] {
  if (results.length === 0) return [];
  const rows = results.slice(0, failuresShownMax).map((result) => {
    return `| ${cell(result.id)} | ${cell(result.driver)} | ${cell(failureHeadline(result))} | \`${cell(result.command)}\` |`;
  });
  const more = results.length - rows.length;
  return [
    '',
    `## ${title}`,
    '',
    '| Scenario | Driver | Failure | Repeat with |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...(more > 0 ? ['', `And ${more} more.`] : []),
  ];
}

/** Escapes a text for a table cell, so it cannot end the cell or act as markup. */
function cell(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\|`<>*_[\]]/g, (character) => `\\${character}`);
}
