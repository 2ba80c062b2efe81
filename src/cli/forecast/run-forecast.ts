import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ForecastAnalyses, ForecastReport } from '../../contract/forecast-report.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import type { CompiledForecast } from '../../forecast/compile-forecast.ts';
import { compileDescription, forecastReport } from '../../forecast/forecast.ts';
import { sweptDescriptions } from '../../forecast/policy-sweep.ts';
import { verifyKernel } from '../../forecast/verify.ts';
import { analysesText } from '../../report/forecast-analyses-text.ts';
import { forecastCharts } from '../../report/forecast-charts.ts';
import { forecastCsv } from '../../report/forecast-csv.ts';
import { forecastPage } from '../../report/forecast-page.ts';
import { forecastText } from '../../report/forecast-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { makeFolder } from '../make-folder.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { analysisForecast } from './forecast-analyses.ts';
import type { ForecastArguments } from './forecast-options.ts';
import { readDescription } from './read-description.ts';
import { showProgress } from './show-progress.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { showTimeLine } from './time-line.ts';

const columnsDefault = 100;

/**
 * Forecasts the campaign of a described tenant. Returns 1 if `--verify` finds a difference. Throws `usage-invalid`,
 * `file-unreadable`, `forecast-invalid` and `forecast-too-large`.
 */
export async function runForecast(args: ForecastArguments, context: CommandContext): Promise<ExitCode> {
  const [path, ...more] = args.operands;
  if (args.fit !== null && path === undefined)
    return (await import('./fit-import.ts')).fitImport(args.fit, args, context);
  if (path === undefined || more.length > 0) {
    throw new NudgeLabError('usage-invalid', {
      message: 'Name one input file, or use --fit with a folder and no file.',
    });
  }
  const { users, days, seed, ruleset } = args;
  const description = readDescription(path, context.cwd, { users, days, seed, ruleset });
  // An invalid sweep is reported before the forecast starts.
  if (args.sweep.length > 0) sweptDescriptions(description, args.sweep);
  if (args.user !== null) return showTimeLine(compileDescription(description), args.user, args, context);
  const simulator = openSimulator(args, context);
  try {
    return await forecastOnce(compileDescription(description), simulator, args, context);
  } finally {
    await simulator.close();
  }
}

async function forecastOnce(
  compiled: CompiledForecast,
  simulator: Simulator,
  args: ForecastArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const { users, seed } = compiled.description;
  const seeds = Array.from({ length: args.seeds }, (_, place) => (seed + place) % 2 ** 32);
  const progress = showProgress(context, args.json);
  const budgetMs = args.timeLimit;
  const counts = await simulator.run(compiled, { users, seeds, budgetMs, onProgress: progress.show });
  const report = forecastReport(compiled, counts, users);
  const analyses = await analysisForecast(report, compiled.description, simulator, {
    ...args,
    onProgress: progress.show,
  });
  progress.end();
  const verification = args.verify === null ? null : verifyKernel(compiled, seed, users, args.verify);
  const written = writeFiles(report, analyses, args, context.cwd);
  if (args.json) {
    const { sweep, sensitivity } = analyses;
    const parts = Object.entries({ sweep, sensitivity, verification }).filter(([, part]) => part !== null);
    printJson(context.stdout, { ...report, ...Object.fromEntries(parts) });
  } else {
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
  return verification?.difference ? 1 : 0;
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

function verificationText({ users, attempts, difference }: ReturnType<typeof verifyKernel>): string {
  if (difference === null) {
    return `Verified: for ${formatCount(users, 'user')} with ${formatCount(attempts, 'attempt')}, the state machines give the same result event by event.`;
  }
  return [
    `DIFFERENT: user ${difference.user}, attempt ${difference.attempt + 1}`,
    `  tables:   ${JSON.stringify(difference.kernel)}`,
    `  machines: ${JSON.stringify(difference.machines)}`,
  ].join('\n');
}
