import { isPlainObject } from '../../src/core/merge-patch.ts';
import { RulesetFaults } from '../../src/scenario/rulesets/ruleset-fault.ts';
import type { RulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { YamlSource } from '../../src/scenario/yaml-source.ts';
import { builtInTexts } from './ruleset-files.ts';

/** Replaces `src/scenario/rulesets/built-in-text.ts` in the browser: the files are part of the script of the page. */
export function readBuiltIn(id: string): RulesetText | null {
  const text = builtInTexts.get(id);
  if (text === undefined) return null;
  const source = new YamlSource(`${id}.ruleset.yaml`, text);
  return { source, faults: new RulesetFaults(source), data: isPlainObject(source.data) ? source.data : null };
}
