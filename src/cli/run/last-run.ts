import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../../contract/result.schema.ts';
import { makeOwnFolder, ownFolder } from '../own-folder.ts';

/** Name of the file for `--last-failed` in the program's data folder. */
const fileName = 'last-run.json';

/** Records which scenarios failed. Nothing is recorded if the folder is not writable. */
export function noteLastRun(report: RunReport, cwd: string): void {
  const failed = [...new Set(report.results.filter(({ status }) => status === 'failed').map(({ id }) => id))];
  try {
    writeFileSync(join(makeOwnFolder(cwd), fileName), `${JSON.stringify({ failed }, null, 2)}\n`);
  } catch {
    // A run in a read-only folder is still valid. Only `--last-failed` has no data there.
  }
}

/**
 * Lists the ids of scenarios that failed in the last run in this folder. The list is empty if there was no run or
 * its record is unreadable.
 */
export function lastFailed(cwd: string): readonly string[] {
  try {
    const { failed } = JSON.parse(readFileSync(join(ownFolder(cwd), fileName), 'utf8')) as { failed?: unknown };
    return Array.isArray(failed) && failed.every((id) => typeof id === 'string') ? failed : [];
  } catch {
    return [];
  }
}
