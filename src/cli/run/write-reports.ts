import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RunReport } from '../../contract/result.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { coverageMarkdown } from '../../report/coverage-text.ts';
import type { ReportFormat } from '../config-values.ts';

/**
 * Writes the reports of a run. Takes a report without secrets, the folder and the formats. Returns the names of the files.
 * Throws `file-unreadable` when the folder cannot be written to.
 */
export async function writeReports(
  report: RunReport,
  folder: string,
  formats: readonly ReportFormat[],
  cwd: string,
): Promise<readonly string[]> {
  const files = new Map<string, string>();
  if (formats.includes('json')) files.set('report.json', json(report));
  if (formats.includes('junit')) files.set('junit.xml', (await import('../../report/junit.ts')).junitXml(report));
  if (formats.includes('coverage')) {
    files.set('coverage.json', json(report.coverage));
    files.set('coverage.md', coverageMarkdown(report.coverage));
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (cause) {
    const message = `The reports cannot be written to ${folder}: ${cause instanceof Error ? cause.message : cause}.`;
    throw new NudgeLabError('file-unreadable', { message, cause });
  }
  return [...files.keys()].map((name) => relative(cwd, join(folder, name)));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
