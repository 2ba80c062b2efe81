import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../../contract/result.ts';
import { makeOwnFolder, ownFolder } from '../own-folder.ts';

/** What `--last-failed` goes by, in the folder of the program's own notes. */
const fileName = 'last-run.json';

/** Notes which scenarios failed, where the folder can be written to. */
export function noteLastRun(report: RunReport, cwd: string): void {
  const failed = [...new Set(report.results.filter(({ status }) => status === 'failed').map(({ id }) => id))];
  try {
    writeFileSync(join(makeOwnFolder(cwd), fileName), `${JSON.stringify({ failed }, null, 2)}\n`);
  } catch {
    // A run in a folder that takes no files is as good as any; only --last-failed has nothing to go by there.
  }
}

/** Ids of the scenarios that failed in the last run here; none when there was no run or its notes cannot be read. */
export function lastFailed(cwd: string): readonly string[] {
  try {
    const { failed } = JSON.parse(readFileSync(join(ownFolder(cwd), fileName), 'utf8')) as { failed?: unknown };
    return Array.isArray(failed) && failed.every((id) => typeof id === 'string') ? failed : [];
  } catch {
    return [];
  }
}
