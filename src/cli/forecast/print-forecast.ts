import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ForecastAnalyses, ForecastReport } from '../../contract/forecast-report.ts';
import { formatCount } from '../../core/format-count.ts';
import { analysesText } from '../../report/forecast-analyses-text.ts';
import { forecastCharts } from '../../report/forecast-charts.ts';
import { forecastCsv } from '../../report/forecast-csv.ts';
import { forecastPage } from '../../report/forecast-page.ts';
import { forecastText } from '../../report/forecast-text.ts';
import type { CommandContext } from '../context.ts';
import { makeFolder } from '../make-folder.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import type { ForecastArguments } from './forecast-options.ts';

const columnsDefault = 100;

/** Prints a report, and writes the requested files. */
export function printForecast(
  report: ForecastReport,
  analyses: ForecastAnalyses,
  verification: ForecastVerification | null,
  args: ForecastArguments,
  context: CommandContext,
): void {
  const written = writeFiles(report, analyses, args, context.cwd);
  if (args.json) {
    const { sweep, sensitivity, settings = null } = analyses;
    const parts = Object.entries({ sweep, sensitivity, settings, verification }).filter(([, part]) => part !== null);
    printJson(context.stdout, { ...report, ...Object.fromEntries(parts) });
    return;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  const columns = context.stdout.columns ?? columnsDefault;
  print(context.stdout, { report, analyses, verification, written }, (visible) =>
    [
      forecastText(visible.report, columns, palette),
      analysesText(visible.report, visible.analyses, palette),
      visible.verification === null ? '' : `\n${verificationText(visible.verification)}\n`,
      visible.written.length === 0 ? '' : `\nWritten: ${visible.written.join(', ')}\n`,
    ].join(''),
  );
}

/** Writes the requested files and returns their names. */
function writeFiles(
  report: ForecastReport,
  analyses: ForecastAnalyses,
  { csv, html, svg }: ForecastArguments,
  cwd: string,
): readonly string[] {
  if (csv !== null) writeFileSync(resolve(cwd, csv), forecastCsv(report));
  if (html !== null) writeFileSync(resolve(cwd, html), forecastPage(report, analyses));
  const charts = svg === null ? [] : forecastCharts(report, analyses);
  if (svg !== null) makeFolder(resolve(cwd, svg));
  for (const { id, svg: drawing } of charts) writeFileSync(resolve(cwd, svg ?? '', `${id}.svg`), drawing);
  return [csv, html, ...charts.map(({ id }) => join(svg ?? '', `${id}.svg`))].filter((name) => name !== null);
}

/** Result of comparing the tables with the state machines. */
interface ForecastVerification {
  readonly users: number;
  readonly attempts: number;
  readonly difference: {
    readonly user: number;
    readonly attempt: number;
    readonly kernel: unknown;
    readonly machines: unknown;
  } | null;
}

function verificationText({ users, attempts, difference }: ForecastVerification): string {
  if (difference === null) {
    return `Verified: for ${formatCount(users, 'user')} with ${formatCount(attempts, 'attempt')}, the state machines give the same result event by event.`;
  }
  return [
    `DIFFERENT: user ${difference.user}, attempt ${difference.attempt + 1}`,
    `  tables:   ${JSON.stringify(difference.kernel)}`,
    `  machines: ${JSON.stringify(difference.machines)}`,
  ].join('\n');
}
