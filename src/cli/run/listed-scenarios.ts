import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { textAtMost, tooLarge } from '../../scenario/data-file.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** Maximum size of a list in bytes, about 100,000 ids. */
const listBytesMax = 16_777_216;

/**
 * Returns the scenarios that a file lists, in its order. Each line has one id; empty lines and lines that begin with #
 * are skipped.
 *
 * @throws `file-unreadable` if the file cannot be read, `usage-invalid` for ids that the suite lacks or that are
 * listed twice
 */
export function listedScenarios(scenarios: readonly Scenario[], file: string, cwd: string): readonly Scenario[] {
  const text = textAtMost(resolve(cwd, file), listBytesMax);
  if (text === null) {
    throw new NudgeLabError('file-unreadable', {
      message: `${file} cannot be used as a list: ${tooLarge(listBytesMax)}.`,
    });
  }
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const seen = new Set<string>();
  const listed: Scenario[] = [];
  const problems: { readonly location: string; readonly message: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const id = line.trim();
    if (id === '' || id.startsWith('#')) continue;
    const scenario = byId.get(id);
    const location = `${file}:${index + 1}`;
    if (scenario === undefined) {
      problems.push({ location, message: `the suite has no scenario ${id}${suggestName(id, [...byId.keys()])}` });
    } else if (seen.has(id)) problems.push({ location, message: `${id} is listed twice` });
    else {
      seen.add(id);
      listed.push(scenario);
    }
  }
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
  return listed;
}
