import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunReport } from '../../contract/result.ts';
import { NudgeLabError } from '../../core/errors.ts';

/**
 * Reads the report of an earlier run. Takes the file, and the folder it is named from. Throws `file-unreadable` where there is
 * none, and where it is no `report.json` of a run.
 */
export async function readEarlier(file: string, cwd: string): Promise<RunReport> {
  const { runReportSchema } = await import('../../contract/result.schema.ts');
  try {
    return runReportSchema.parse(JSON.parse(readFileSync(resolve(cwd, file), 'utf8'))) as RunReport;
  } catch (cause) {
    const reason = cause instanceof SyntaxError || isMissing(cause) ? cause.message : 'it is no report.json of a run';
    throw new NudgeLabError('file-unreadable', {
      message: `${file} is not the report of an earlier run: ${reason}.`,
      cause,
    });
  }
}

function isMissing(cause: unknown): cause is Error {
  return cause instanceof Error && 'code' in cause && 'syscall' in cause;
}
