import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Makes a folder, and those above it that are not there, one by one: Node's own way to make them all tries forever where the system says
 * that an existing folder is not there, as /proc does. Takes its full path. Returns the first that it made, in which are all others, or
 * `null` where all were there. Throws `file-unreadable` with the system's reason; folders that were made before that are taken away.
 */
export function makeFolder(folder: string): string | null {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  const above = dirname(folder);
  const made = above === folder ? null : makeFolder(above);
  try {
    mkdirSync(folder);
    return made ?? folder;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Another process may have been quicker.
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return made;
    if (made !== null) rmSync(made, { recursive: true, force: true });
    const reason = code === 'ENOENT' ? 'the system lets nothing be made there' : (cause as Error).message;
    throw new NudgeLabError('file-unreadable', { message: `The folder ${folder} cannot be made: ${reason}.`, cause });
  }
}
