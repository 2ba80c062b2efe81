import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RunReport } from '../../contract/result.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { visibleValues } from '../../core/visible-text.ts';
import { coverageMarkdown } from '../../report/coverage-text.ts';
import type { RunChanges } from '../../report/run-changes.ts';
import { shotEnding } from '../../report/screenshot-file.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { ReportFormat } from '../config-values.ts';
import { makeFolder } from '../make-folder.ts';

/** What the reports of a run are made from. */
export interface ReportedRun {
  /** Without secrets. */
  readonly report: RunReport;
  /** What changed since an earlier run; `null` when none was named. */
  readonly changes: RunChanges | null;
  /** When the run ended, in ms since the epoch. */
  readonly endedAtMs: number;
  /** The scenarios that were run. */
  readonly scenarios: readonly Scenario[];
}

/** Formats that only programs read get every text as it is; of the others a person or a service reads each line. */
const forPrograms: ReadonlySet<ReportFormat> = new Set(['json']);

/** How each format is written, as files by name. The rooms that a format needs are loaded with it. */
const writers: Readonly<
  Record<ReportFormat, (run: ReportedRun, folder: string) => Promise<readonly (readonly [string, string])[]>>
> = {
  json: async ({ report }) => [['report.json', json(report)]],
  junit: async ({ report }) => [['junit.xml', (await import('../../report/junit.ts')).junitXml(report)]],
  ctrf: async ({ report, endedAtMs }) => {
    const { ctrfReport } = await import('../../report/ctrf.ts');
    return [['ctrf.json', json(ctrfReport(report, endedAtMs))]];
  },
  html: async ({ report, changes, scenarios }, folder) => {
    const [{ reportHtml }, { coveredLifecycle }] = await Promise.all([
      import('../../report/html-report.ts'),
      import('../../generate/criteria/covered-charts.ts'),
    ]);
    const lifecycle = await coveredLifecycle(scenarios);
    return [['report.html', reportHtml(report, { changes, lifecycle, shotIn: (file) => shotIn(folder, file) })]];
  },
  markdown: async ({ report, changes }) => {
    const { summaryMarkdown } = await import('../../report/summary-markdown.ts');
    return [['summary.md', summaryMarkdown(report, changes)]];
  },
  coverage: async ({ report: { coverage } }) => [
    ['coverage.json', json(coverage)],
    ['coverage.md', coverageMarkdown(coverage)],
  ],
};

/**
 * Writes the reports of a run. Takes the run, the folder and the formats. Returns the names of the files. Throws
 * `file-unreadable` when the folder cannot be written to.
 */
export async function writeReports(
  run: ReportedRun,
  folder: string,
  formats: readonly ReportFormat[],
  cwd: string,
): Promise<readonly string[]> {
  const shown = { ...run, ...visibleValues({ report: run.report, changes: run.changes }) };
  const files = (
    await Promise.all(formats.map((format) => writers[format](forPrograms.has(format) ? run : shown, folder)))
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

/** A small picture of a screen as a `data:` address; `null` for other files, and where it cannot be read. */
function shotIn(folder: string, file: string): string | null {
  if (!file.endsWith(shotEnding)) return null;
  try {
    return `data:image/webp;base64,${readFileSync(join(folder, file), 'base64')}`;
  } catch {
    return null;
  }
}
