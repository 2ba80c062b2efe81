import { relative, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { readAnyFile } from './read-ruleset-file.ts';
import { isRulesetFile } from './ruleset-file.ts';

/**
 * Loads the ruleset that an option or a configuration names: a file, or the id of a loaded ruleset.
 *
 * @param named - path of a file relative to `folder`, or an id
 * @throws NudgeLabError `ruleset-invalid` with every fault of the file, `file-unreadable`, or `bad-request` for an
 *   unknown id
 */
export function loadRuleset(named: string, registry: RulesetRegistry, folder: string): LoadedRuleset {
  return isRulesetFile(named) ? loadRulesetFile(named, registry, folder) : registry.get(named);
}

function loadRulesetFile(file: string, registry: RulesetRegistry, folder: string): LoadedRuleset {
  const path = resolve(folder, file);
  const displayPath = relative('.', path);
  let read: ReturnType<typeof readAnyFile>;
  try {
    read = readAnyFile(path, displayPath);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${displayPath} cannot be read: ${reason}.`, cause });
  }
  if (read.read?.base === 'own') return registry.add(read.read.ruleset, displayPath, read.read.data);
  if (read.read !== null) return registry.addCampaign(read.read.ruleset, displayPath, read.read.data);
  throw new NudgeLabError('ruleset-invalid', {
    problems: read.faults
      .filter(({ severity }) => severity === 'fault')
      .map(({ code, location, path: key, message }) => ({
        location,
        message: key === '' ? `${code} ${message}` : `${code} ${key}: ${message}`,
      })),
  });
}
