import { basesBeside } from './bases-beside.ts';
import { skippedModules } from './modules/module-reader.ts';
import { ModuleFolder } from './modules/read-gate.ts';
import {
  checkAnyText,
  ownPart,
  type ReadAnyRuleset,
  type ReadOptions,
  type ReadRuleset,
  readAnyText,
} from './read-ruleset.ts';
import { readRulesetFile } from './ruleset-text.ts';

/** Whether the gate modules of a ruleset file are run, or left out as gates that pass. */
export type ModuleUse = 'run' | 'skip';

/** Reads a ruleset file of any base, whose base can be a built-in ruleset or a file of the same folder. */
export function readAnyFile(path: string, displayPath: string, modules: ModuleUse = 'run'): ReadAnyRuleset {
  return readAnyText(readRulesetFile(path, displayPath), optionsFor(path, modules));
}

/** Reads a ruleset file of any base and checks its meaning, as far as its facts are finite. */
export function checkAnyFile(path: string, displayPath: string, modules: ModuleUse = 'run'): ReadAnyRuleset {
  return checkAnyText(readRulesetFile(path, displayPath), optionsFor(path, modules));
}

function optionsFor(path: string, modules: ModuleUse): ReadOptions {
  return { modules: modules === 'run' ? new ModuleFolder(path) : skippedModules, bases: basesBeside(path) };
}

/** Reads a ruleset file with the base `own`, and loads the gate modules that it names. */
export function readOwnFile(path: string, displayPath: string, modules: ModuleUse = 'run'): ReadRuleset {
  const text = readRulesetFile(path, displayPath);
  return ownPart(readAnyText(text, optionsFor(path, modules)), text);
}

/**
 * Reads a ruleset file with the base `own` and checks its meaning, as far as its facts are finite.
 *
 * @param path - path of the file
 * @param displayPath - path that faults name
 * @param modules - whether gate modules are run
 * @returns the ruleset, or all of its faults
 */
export function checkOwnFile(path: string, displayPath: string, modules: ModuleUse = 'run'): ReadRuleset {
  const text = readRulesetFile(path, displayPath);
  return ownPart(checkAnyText(text, optionsFor(path, modules)), text);
}
