import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Creates a folder and its missing parent folders one by one. The recursive mode of Node.js never returns if the
 * system reports an existing folder as missing, as /proc does.
 * @returns the first folder that was created, which contains all others; `null` if all existed
 * @throws `file-unreadable` with the reason of the system; folders created before the error are deleted
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
    // Another process may have created the folder in the meantime.
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return made;
    if (made !== null) rmSync(made, { recursive: true, force: true });
    const reason =
      code === 'ENOENT' ? 'the system does not allow folders to be created there' : (cause as Error).message;
    throw new NudgeLabError('file-unreadable', {
      message: `The folder ${folder} cannot be created: ${reason}.`,
      cause,
    });
  }
}
