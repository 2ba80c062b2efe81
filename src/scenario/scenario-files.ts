import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';

/**
 * The scenario files of paths: a file itself, or every `.yaml` and `.yml` below a folder, sorted.
 * Throws `file-unreadable` for a path that is not there.
 */
export function scenarioFiles(paths: readonly string[], cwd: string): readonly string[] {
  const files = paths.flatMap((path) => {
    const full = join(cwd, path);
    const stat = statSync(path.startsWith('/') ? path : full, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new NudgeLabError('file-unreadable', { message: `There is nothing at ${path}.` });
    }
    const base = path.startsWith('/') ? path : full;
    return stat.isDirectory() ? globSync('**/*.{yaml,yml}', { cwd: base }).map((file) => join(base, file)) : [base];
  });
  return [...new Set(files)].sort();
}

/** Which rows of a file are wanted; rows count from 1. */
export type WantedRows = (file: string, row: number) => boolean;

/** Every row. */
export const allRows: WantedRows = () => true;
