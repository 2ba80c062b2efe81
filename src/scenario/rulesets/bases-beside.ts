import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBuiltIn } from './built-in-text.ts';
import type { BaseLookup } from './ruleset-base.ts';
import { isRulesetFile } from './ruleset-file.ts';
import { type RulesetText, readRulesetFile } from './ruleset-text.ts';

/** Maximum number of ruleset files in a folder among which a base is looked for. */
const filesMax = 200;

/** Creates the lookup of a file's bases: the built-in rulesets, then the ruleset files of its folder. */
export function basesBeside(path: string): BaseLookup {
  return (id) => readBuiltIn(id) ?? findBeside(dirname(path), id);
}

function findBeside(directory: string, id: string): RulesetText | null {
  const names = readdirSync(directory).filter(isRulesetFile).slice(0, filesMax);
  const likely = names.filter((name) => name.startsWith(`${id}.ruleset.`));
  for (const name of [...likely, ...names.filter((one) => !likely.includes(one))]) {
    const text = readRulesetFile(join(directory, name), name);
    if (text.data?.['ruleset'] === id) return text;
  }
  return null;
}
