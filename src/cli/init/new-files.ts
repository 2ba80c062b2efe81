import { writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { isTaken } from '../is-taken.ts';
import { makeFolder } from '../make-folder.ts';
import type { SuiteFile } from './suite-files.ts';

/**
 * Writes new files below a folder.
 *
 * @throws NudgeLabError `file-exists` with the names of all existing files, and no file is written
 */
export function writeNewFiles(
  folder: string,
  files: readonly SuiteFile[],
  { force, cwd }: { readonly force: boolean; readonly cwd: string },
): void {
  const taken = files.filter(({ path }) => isTaken(join(folder, path)));
  if (taken.length > 0 && !force) {
    throw new NudgeLabError('file-exists', {
      problems: taken.map(({ path }) => ({
        location: formatRelativePath(join(folder, path), cwd),
        message: 'already exists',
      })),
    });
  }
  for (const { path, text } of files) write(join(folder, path), text, force);
}

/** Formats a path as the caller would type it. */
export function formatRelativePath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '..' || short.startsWith(`..${sep}`) ? path : short;
}

function write(path: string, text: string, force: boolean): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    if (cause instanceof NudgeLabError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${path} cannot be written: ${reason}.`, cause });
  }
}
