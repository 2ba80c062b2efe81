// Node 20 has no `globSync`: a named import would fail there before the package reports the unsupported version.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';
import { isRulesetFile } from './rulesets/ruleset-file.ts';

/**
 * Returns the sorted scenario files of paths. A path is a file, or a folder whose `.yaml` and `.yml` files are
 * included recursively, other than ruleset files. Throws `file-unreadable` for a path that does not exist.
 */
export function scenarioFiles(paths: readonly string[], cwd: string): readonly string[] {
  const files = paths.flatMap((path) => {
    const full = join(cwd, path);
    const stat = fs.statSync(path.startsWith('/') ? path : full, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new NudgeLabError('file-unreadable', { message: `The path ${path} does not exist.` });
    }
    const base = path.startsWith('/') ? path : full;
    if (!stat.isDirectory()) return [base];
    const found = fs.globSync('**/*.{yaml,yml}', { cwd: base }).filter((file) => !isRulesetFile(file));
    return found.map((file) => join(base, file));
  });
  return [...new Set(files)].sort();
}

/** Function that selects rows of a file. Rows are numbered from 1. */
export type WantedRows = (file: string, row: number) => boolean;

/** Selects every row. */
export const allRows: WantedRows = () => true;
