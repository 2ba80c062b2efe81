import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Makes a folder, and those above it that are not there, one by one: Node's own way to make them all tries for ever where the system says
 * that an existing folder is not there, as /proc does. Takes its full path. Throws `file-unreadable` with the system's reason.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Another process may have been quicker.
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    const reason = code === 'ENOENT' ? 'the system lets nothing be made there' : (cause as Error).message;
    throw new NudgeLabError('file-unreadable', { message: `The folder ${folder} cannot be made: ${reason}.`, cause });
  }
}
