import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RunReport } from '../../contract/result.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { visibleValues } from '../../core/visible-text.ts';
import { coverageMarkdown } from '../../report/coverage-text.ts';
import type { RunChanges } from '../../report/run-changes.ts';
import { shotEnding } from '../../report/screenshot-file.ts';
import { summaryMarkdown } from '../../report/summary-markdown.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { packageVersion } from '../../scenario/shipped.ts';
import type { ReportFormat } from '../config-values.ts';
import { makeFolder } from '../make-folder.ts';

/** Data for the reports of a run. */
export interface ReportedRun {
  /** Report without secrets. */
  readonly report: RunReport;
  /** Changes since an earlier run; `null` if no earlier run was named. */
  readonly changes: RunChanges | null;
  /** End of the run in milliseconds since the epoch. */
  readonly endedAtMs: number;
  /** Scenarios of the run. */
  readonly scenarios: readonly Scenario[];
}

/**
 * Formats that only programs read. Their text is not escaped, unlike formats that people or services read line by
 * line.
 */
const forPrograms: ReadonlySet<ReportFormat> = new Set(['json']);

/** Writers by format, which return file names with contents. The modules of a format are loaded on demand. */
const writers: Readonly<
  Record<ReportFormat, (run: ReportedRun, folder: string) => Promise<readonly (readonly [string, string])[]>>
> = {
  json: async ({ report }) => [['report.json', json(report)]],
  junit: async ({ report }) => [['junit.xml', (await import('../../report/junit.ts')).junitXml(report)]],
  ctrf: async ({ report, endedAtMs }) => {
    const { ctrfReport } = await import('../../report/ctrf.ts');
    return [['ctrf.json', json(ctrfReport(report, endedAtMs))]];
  },
  html: async ({ report, changes, scenarios, endedAtMs }, folder) => {
    const [{ reportHtml }, { coveredLifecycle }] = await Promise.all([
      import('../../report/html-report.ts'),
      import('../../generate/criteria/covered-charts.ts'),
    ]);
    const lifecycle = await coveredLifecycle(scenarios);
    const virtualMs = scenarios.map(({ plan }) => plan.clock.nowMs);
    const origin = { endedAtMs, version: packageVersion(), virtualMs };
    return [
      ['report.html', reportHtml(report, { changes, lifecycle, origin, shotIn: (file) => shotIn(folder, file) })],
    ];
  },
  markdown: async ({ report, changes }) => [['summary.md', summaryMarkdown(report, changes)]],
  coverage: async ({ report: { coverage } }) => [
    ['coverage.json', json(coverage)],
    ['coverage.md', coverageMarkdown(coverage)],
  ],
};

/**
 * Writes the reports of a run in the given formats. Returns the file names. Throws `file-unreadable` if the folder
 * is not writable.
 */
export async function writeReports(
  run: ReportedRun,
  folder: string,
  formats: readonly ReportFormat[],
  cwd: string,
): Promise<readonly string[]> {
  const visible = { ...run, ...visibleValues({ report: run.report, changes: run.changes }) };
  const files = (
    await Promise.all(formats.map((format) => writers[format](forPrograms.has(format) ? run : visible, folder)))
  ).flat();
  try {
    makeFolder(folder);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (cause) {
    const message = `The reports cannot be written to ${folder}: ${cause instanceof Error ? cause.message : cause}.`;
    throw new NudgeLabError('file-unreadable', { message, cause });
  }
  return files.map(([name]) => relative(cwd, join(folder, name)));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Loads a screenshot as a `data:` URL; `null` for other types of files and if the file is unreadable. */
function shotIn(folder: string, file: string): string | null {
  if (!file.endsWith(shotEnding)) return null;
  try {
    return `data:image/webp;base64,${readFileSync(join(folder, file), 'base64')}`;
  } catch {
    return null;
  }
}
