import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunReport } from '../../contract/result.ts';

const lastRunSchema = z.object({ failed: z.array(z.string()) });

/** What `--last-failed` goes by, below the folder that the program was started in. */
const folderName = '.nudgelab';
const fileName = 'last-run.json';

/** Notes which scenarios failed, where the folder can be written to. The notes keep themselves out of version control. */
export function noteLastRun(report: RunReport, cwd: string): void {
  const folder = join(cwd, folderName);
  const failed = [...new Set(report.results.filter(({ status }) => status === 'failed').map(({ id }) => id))];
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.gitignore'), '*\n');
    writeFileSync(join(folder, fileName), `${JSON.stringify({ failed }, null, 2)}\n`);
  } catch {
    // A run in a folder that takes no files is as good as any; only --last-failed has nothing to go by there.
  }
}

/** Ids of the scenarios that failed in the last run here; none when there was no run or its notes cannot be read. */
export function lastFailed(cwd: string): readonly string[] {
  try {
    return lastRunSchema.parse(JSON.parse(readFileSync(join(cwd, folderName, fileName), 'utf8'))).failed;
  } catch {
    return [];
  }
}
