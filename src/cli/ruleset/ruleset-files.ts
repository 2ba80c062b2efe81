// Node 20 has no `globSync`: a named import would fail there before the package reports the unsupported version.
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';

/**
 * Replaces each folder by the ruleset files in it, at any depth and in the order of their paths.
 *
 * @param operands - files, folders or ids, relative to `cwd`
 * @throws NudgeLabError `usage-invalid` for a folder without ruleset files
 */
export function listRulesetFiles(operands: readonly string[], cwd: string): readonly string[] {
  return operands.flatMap((operand) => {
    const path = resolve(cwd, operand);
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [operand];
    const files = fs.globSync('**/*', { cwd: path }).filter(isRulesetFile).toSorted();
    if (files.length > 0) return files.map((file) => join(operand, file));
    const message = `The folder ${operand} contains no file that ends with .ruleset.yaml or .ruleset.json.`;
    throw new NudgeLabError('usage-invalid', { message });
  });
}
