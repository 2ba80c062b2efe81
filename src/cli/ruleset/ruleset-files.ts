// Node 20 has no `globSync`: a named import would fail there before the package reports the unsupported version.
import * as fs from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';

/**
 * Replaces each folder by the ruleset files in it, at any depth and in the order of their paths.
 *
 * @param operands - files, folders or ids, relative to `cwd`
 * @throws NudgeLabError `usage-invalid` for a folder without ruleset files, `file-unreadable` for a path that does not exist
 */
export function listRulesetFiles(operands: readonly string[], cwd: string): readonly string[] {
  return operands.flatMap((operand) => {
    const path = resolve(cwd, operand);
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat === undefined && /[/\\]|\.(?:ya?ml|json)$/.test(operand)) {
      throw new NudgeLabError('file-unreadable', { message: `The path ${operand} does not exist.` });
    }
    if (stat?.isDirectory() !== true) return [operand];
    const files = fs.globSync('**/*', { cwd: path, withFileTypes: true }).flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return entry.isFile() && isRulesetFile(entry.name) ? [join(operand, relative(path, file))] : [];
    });
    if (files.length > 0) return files.toSorted();
    const message = `The folder ${operand} contains no file that ends with .ruleset.yaml or .ruleset.json.`;
    throw new NudgeLabError('usage-invalid', { message });
  });
}
