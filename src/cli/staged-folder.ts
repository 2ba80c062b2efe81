import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Runs work that writes files to a folder. The files are written to a staging folder and moved when all of them are
 * complete. If the work fails, no files and no newly created folders remain.
 * @param folder - absolute path of the folder
 * @param work - function that receives the path of the staging folder
 * @throws `file-unreadable`, and any error of the work
 */
export async function inStagedFolder<T>(folder: string, work: (staging: string) => Promise<T>): Promise<T> {
  const made = makeFolder(folder);
  let staging: string | null = null;
  try {
    staging = mkdtempSync(join(folder, '.nudgelab-'));
    const result = await work(staging);
    for (const name of readdirSync(staging)) {
      rmSync(join(folder, name), { recursive: true, force: true });
      renameSync(join(staging, name), join(folder, name));
    }
    rmSync(staging, { recursive: true });
    return result;
  } catch (error) {
    const left = made ?? staging;
    if (left !== null) rmSync(left, { recursive: true, force: true });
    throw error;
  }
}
