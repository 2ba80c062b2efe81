import { resolve } from 'node:path';
import type { RunReport } from '../../contract/result.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { textAtMost, tooLarge } from '../../scenario/data-file.ts';

/** Maximum size of a report in bytes, about twice the size for 100,000 scenarios. */
const reportBytesMax = 268_435_456;

/**
 * Reads the report of an earlier run.
 *
 * @param file - the `report.json` of that run
 * @param cwd - base folder of a relative path
 * @param use - what the report is for, as the error message names it
 * @throws NudgeLabError `file-unreadable` if the file is missing, larger than 256 MiB, or not the report of a run
 */
export async function readEarlier(file: string, cwd: string, use = 'as a baseline'): Promise<RunReport> {
  const { runReportSchema } = await import('../../contract/result.schema.ts');
  try {
    const text = textAtMost(resolve(cwd, file), reportBytesMax);
    if (text === null) throw new RangeError(tooLarge(reportBytesMax));
    return runReportSchema.parse(JSON.parse(text)) as RunReport;
  } catch (cause) {
    const isKnown = cause instanceof SyntaxError || cause instanceof RangeError || isMissing(cause);
    const reason = isKnown ? cause.message : 'it is not the report.json of a run';
    throw new NudgeLabError('file-unreadable', {
      message: `${file} cannot be used ${use}: ${reason}.`,
      cause,
    });
  }
}

function isMissing(cause: unknown): cause is Error {
  return cause instanceof Error && 'code' in cause && 'syscall' in cause;
}
