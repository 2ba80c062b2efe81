// Node 20 has no `globSync`: a named import would fail there before the package reports the unsupported version.
import * as fs from 'node:fs';
import { relative, resolve } from 'node:path';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import type { LoadedRuleset, RulesetRegistry } from '../journal/ruleset-registry.ts';
import { builtInChoice, type RulesetChoice } from '../scenario/rulesets/ruleset-choice.ts';
import { isRulesetFile } from '../scenario/rulesets/ruleset-file.ts';
import type { Config } from './config.ts';
import type { Assignment } from './option.ts';

/** Options and settings that choose a ruleset. */
interface ChosenBy {
  readonly ruleset: string | null;
  readonly set?: readonly Assignment[];
}

/**
 * Loads the rulesets of a configuration and of the command line, and returns the choice of the command: the option is
 * narrower than the configuration (OC34). The reader of files is loaded only for a file.
 *
 * @param args - options of the command
 * @param config - configuration, whose paths are absolute
 * @param cwd - folder that the option and displayed paths are relative to
 * @throws NudgeLabError `ruleset-invalid` with every fault of a file and for two files with the same id (RS25),
 *   `file-unreadable`, `config-invalid` for a pattern without files, `usage-invalid` for an unknown id or setting
 */
export async function openRulesets(args: ChosenBy, config: Config, cwd: string): Promise<RulesetChoice> {
  const { registry } = builtInChoice();
  const files = listConfigured(config);
  for (const file of files) await loadNamed(relative(cwd, file), 'config.rulesets', registry, cwd);
  const named = args.ruleset ?? config.ruleset ?? null;
  const where = args.ruleset === null ? 'config.ruleset' : '--ruleset';
  const chosen = named === null ? null : await loadNamed(named, where, registry, cwd);
  return { registry, chosen, settings: Object.fromEntries((args.set ?? []).map(({ name, value }) => [name, value])) };
}

/**
 * Returns the ruleset that an option or a key names: the id of a known ruleset, or a file, which becomes known.
 *
 * @param named - id, or path of a file relative to `cwd`
 * @param location - option or key, for errors
 * @throws NudgeLabError `usage-invalid` for an unknown id, and the errors of a file
 */
export async function loadNamed(
  named: string,
  location: string,
  registry: RulesetRegistry,
  cwd: string,
): Promise<LoadedRuleset> {
  if (isRulesetFile(named)) {
    const { loadRuleset } = await import('../scenario/rulesets/load-rulesets.ts');
    return loadRuleset(named, registry, cwd);
  }
  const loaded = registry.find(named);
  if (loaded !== undefined) return loaded;
  const known = registry.list().map(({ id }) => id);
  const message = `${describeUnknownName(named, known)}; or name a file that ends with .ruleset.yaml or .ruleset.json`;
  throw new NudgeLabError('usage-invalid', { problems: [{ location, message }] });
}

/** Returns the absolute paths of the configured ruleset files in order. */
function listConfigured({ rulesetFiles }: Config): readonly string[] {
  if (rulesetFiles === undefined) return [];
  const { patterns, folder } = rulesetFiles;
  const problems: ValidationProblem[] = [];
  const files = patterns.flatMap((pattern) => {
    const found = fs.globSync(pattern, { cwd: folder }).filter(isRulesetFile).toSorted();
    if (found.length === 0) {
      const message = `no file that ends with .ruleset.yaml or .ruleset.json matches ${pattern}`;
      problems.push({ location: 'config.rulesets', message });
    }
    return found.map((file) => resolve(folder, file));
  });
  if (problems.length > 0) throw new NudgeLabError('config-invalid', { problems });
  return [...new Set(files)];
}
