import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { readBuiltIn } from './built-in-text.ts';
import type { Bases } from './ruleset-base.ts';
import { isRulesetFile } from './ruleset-file.ts';
import { type RulesetText, readRulesetFile } from './ruleset-text.ts';

/** Maximum number of ruleset files in a folder among which a base is looked for. */
const filesMax = 200;

/** Creates the lookup of a file's bases: the built-in rulesets, then the ruleset files of its folder. */
export function basesBeside(path: string): Bases {
  const directory = dirname(path);
  return {
    find: (id) => readBuiltIn(id) ?? findBeside(directory, id),
    ids: () => [...new Set([...rulesetIds, ...listIds(directory)])],
  };
}

function findBeside(directory: string, id: string): RulesetText | null {
  const names = listFiles(directory);
  const likely = names.filter((name) => name.startsWith(`${id}.ruleset.`));
  for (const name of [...likely, ...names.filter((one) => !likely.includes(one))]) {
    const text = readRulesetFile(join(directory, name), name);
    if (text.data?.['ruleset'] === id) return text;
  }
  return null;
}

function listFiles(directory: string): readonly string[] {
  return readdirSync(directory).filter(isRulesetFile).toSorted().slice(0, filesMax);
}

function listIds(directory: string): readonly string[] {
  return listFiles(directory).flatMap((name) => {
    const id = readRulesetFile(join(directory, name), name).data?.['ruleset'];
    return typeof id === 'string' ? [id] : [];
  });
}
