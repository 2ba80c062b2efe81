import type { RunReport } from '../../contract/result.schema.ts';
import { workflowAnnotations } from '../../report/annotations.ts';
import { coverageText, fileCoverageText } from '../../report/coverage-text.ts';
import type { RunChanges } from '../../report/run-changes.ts';
import { changesText } from '../../report/summary-markdown.ts';
import { type DriverTimes, failuresText, summaryText } from '../../report/summary-text.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printCommands, printJson } from '../print.ts';
import type { RunArguments } from './run-options.ts';

const columnsDefault = 100;

/** Test run to print. */
export interface PrintedRun {
  /** Report without secrets. */
  readonly report: RunReport;
  readonly times: DriverTimes;
  /** Names of the files that were written. */
  readonly written: readonly string[];
  /** Changes since an earlier run; `null` if no earlier run was named. */
  readonly changes: RunChanges | null;
}

/** Prints a run as one JSON object, or as failures, rule coverage and the summary. */
export function printReport(
  { report, times, written, changes }: PrintedRun,
  args: RunArguments,
  context: CommandContext,
): void {
  const { stdout } = context;
  if (args.json) {
    printJson(stdout, report);
    return;
  }
  const palette = paletteFor(stdout, context, args.color);
  const isOneFile = args.operands.length > 0 && new Set(report.results.map(({ file }) => file)).size === 1;
  const formatCoverage = isOneFile ? fileCoverageText : coverageText;
  print(stdout, { report: withoutPassedSteps(report), times, changes }, (visible) => {
    const failures = failuresText(visible.report, palette);
    const columns = stdout.columns ?? columnsDefault;
    const coverage = args.coverage && !args.quiet ? formatCoverage(visible.report.coverage, columns, palette) : '';
    return [
      failures === '' ? '' : `${failures}\n`,
      coverage === '' ? '' : `${coverage}\n`,
      summaryText(visible.report, visible.times, palette),
      visible.changes === null ? '' : `${changesText(visible.changes)}\n`,
    ].join('');
  });
  // GitHub Actions reads commands from the output and shows each failure next to its source line.
  if (context.env['GITHUB_ACTIONS'] === 'true') printCommands(stdout, report.results, workflowAnnotations);
  print(stdout, written, (files) => lastLines(report, files, args, context));
}

/** Removes the steps that are not shown, because making every text visible takes time. */
function withoutPassedSteps(report: RunReport): RunReport {
  return {
    ...report,
    results: report.results.map((result) => (result.status === 'passed' ? { ...result, steps: [] } : result)),
  };
}

function lastLines(
  { summary }: RunReport,
  written: readonly string[],
  { failOnSkip }: RunArguments,
  { env }: CommandContext,
): readonly string[] {
  return [
    ...(summary.passed === 0 && summary.failed === 0 ? ['No scenario passed, so the run failed.'] : []),
    ...(failOnSkip && summary.skipped > 0 ? ['Skipped scenarios count as failed (--fail-on-skip).'] : []),
    ...(written.length > 0 ? [`Reports: ${written.join(', ')}`] : []),
    ...(env['npm_lifecycle_event'] === 'start'
      ? ['', 'Next: npm run serve starts the server with its sign-in pages and prints users to sign in with.']
      : []),
  ];
}
