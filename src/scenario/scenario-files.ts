// Node 20 has no `globSync`: a named import would fail there before the package reports the unsupported version.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';
import { isForecastFile, isRulesetFile } from './rulesets/ruleset-file.ts';

/** Files with another meaning, which can be in the same folder: their names and the commands for them. */
const otherFiles: readonly (readonly [isNamed: (name: string) => boolean, what: string])[] = [
  [isRulesetFile, 'a ruleset; check it with `nudgelab ruleset check`'],
  [isForecastFile, 'the description of a forecast; run it with `nudgelab forecast`'],
];

/**
 * Returns the sorted scenario files of paths. A path is a file, or a folder whose `.yaml` and `.yml` files are
 * included recursively, other than rulesets and descriptions of forecasts. Throws `file-unreadable` for a path that
 * does not exist, and `usage-invalid` for a file that has another meaning.
 */
export function scenarioFiles(paths: readonly string[], cwd: string): readonly string[] {
  const files = paths.flatMap((path) => {
    const full = join(cwd, path);
    const stat = fs.statSync(path.startsWith('/') ? path : full, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new NudgeLabError('file-unreadable', { message: `The path ${path} does not exist.` });
    }
    const base = path.startsWith('/') ? path : full;
    if (!stat.isDirectory()) {
      const other = otherFiles.find(([isNamed]) => isNamed(path));
      if (other === undefined) return [base];
      throw new NudgeLabError('usage-invalid', { message: `${path} is not a scenario but ${other[1]}.` });
    }
    const found = fs
      .globSync('**/*.{yaml,yml}', { cwd: base })
      .filter((file) => !otherFiles.some(([isNamed]) => isNamed(file)));
    return found.map((file) => join(base, file));
  });
  return [...new Set(files)].sort();
}

/** Function that selects rows of a file. Rows are numbered from 1. */
export type WantedRows = (file: string, row: number) => boolean;

/** Selects every row. */
export const allRows: WantedRows = () => true;
