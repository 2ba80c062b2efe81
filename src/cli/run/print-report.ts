import type { RunReport } from '../../contract/result.ts';
import { workflowAnnotations } from '../../report/annotations.ts';
import { coverageText } from '../../report/coverage-text.ts';
import type { RunChanges } from '../../report/run-changes.ts';
import { changesText } from '../../report/summary-markdown.ts';
import { type DriverTimes, failuresText, summaryText } from '../../report/summary-text.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import type { RunArguments } from './run-options.ts';

const columnsDefault = 100;

/** A run as it is printed. */
export interface PrintedRun {
  /** Without secrets. */
  readonly report: RunReport;
  readonly times: DriverTimes;
  /** Files that were written. */
  readonly written: readonly string[];
  /** What changed since an earlier run; `null` when none was named. */
  readonly changes: RunChanges | null;
}

/** Prints a run: one JSON object, or failures, rule coverage and the summary. */
export function printReport(
  { report, times, written, changes }: PrintedRun,
  args: RunArguments,
  context: CommandContext,
): void {
  const { stdout } = context;
  if (args.json) {
    stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  const palette = paletteFor(stdout, context, args.color);
  const failures = failuresText(report, palette);
  if (failures !== '') stdout.write(`${failures}\n`);
  if (args.coverage && !args.quiet) {
    stdout.write(`${coverageText(report.coverage, stdout.columns ?? columnsDefault, palette)}\n`);
  }
  stdout.write(summaryText(report, times, palette));
  if (changes !== null) stdout.write(`${changesText(changes)}\n`);
  // A job of that service reads commands from what is printed, and shows each failure beside its line.
  if (context.env['GITHUB_ACTIONS'] === 'true') {
    for (const line of workflowAnnotations(report.results)) stdout.write(`${line}\n`);
  }
  if (report.summary.passed === 0 && report.summary.failed === 0)
    stdout.write('Nothing passed: that counts as failed.\n');
  if (!args.skips && report.summary.skipped > 0) stdout.write('Skips count as failed (--no-skips).\n');
  if (written.length > 0) stdout.write(`Reports: ${written.join(', ')}\n`);
  if (context.env['npm_lifecycle_event'] === 'start') {
    stdout.write('\nNext: npm run serve starts the server and its sign-in pages, and prints users to try them with.\n');
  }
}
