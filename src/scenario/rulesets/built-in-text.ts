import { join } from 'node:path';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { rulesetBytesMax } from '../../core/limits.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { YamlSource } from '../yaml-source.ts';
import { RulesetFaults } from './ruleset-fault.ts';
import type { RulesetText } from './ruleset-text.ts';

const folder = join(import.meta.dirname, '../../../machines/rulesets');

/** Returns the path of a built-in ruleset's file. */
export function findBuiltInFile(id: string): string {
  return join(folder, `${id}.ruleset.yaml`);
}

/** Parsed files of the built-in rulesets, which are read once: most of them are also the base of another one. */
const builtInSources = new Map<string, YamlSource>();

/** Returns the text of a built-in ruleset, or `null` for another id. Its file is part of the program and has no faults. */
export function readBuiltIn(id: string): RulesetText | null {
  if (!rulesetIds.includes(id)) return null;
  const source =
    builtInSources.get(id) ?? YamlSource.ofFile(findBuiltInFile(id), `${id}.ruleset.yaml`, rulesetBytesMax);
  builtInSources.set(id, source);
  const { data } = source;
  return { source, faults: new RulesetFaults(source), data: isPlainObject(data) ? data : null };
}
