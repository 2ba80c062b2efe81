import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Does work whose files go to a folder. They are written beside each other in a folder of their own there, and take their places when
 * all of them are whole: work that fails leaves nothing behind, and no folder that it was the first to need. Takes the folder's full path
 * and the work, which is given where to write. Throws `file-unreadable`, and what the work throws.
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
