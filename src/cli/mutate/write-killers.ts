import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { MutantResult } from '../../generate/mutate/mutation-test.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { makeFolder } from '../make-folder.ts';

/**
 * Writes a scenario file for each journey that kills a survivor. Survivors with the same journey share a file,
 * which lists them. The parameters are the results, the folder, and the base of displayed paths.
 * @returns the file of each survivor by its name
 */
export function writeKillers(
  results: readonly MutantResult[],
  folder: string,
  cwd: string,
): ReadonlyMap<string, string> {
  const survivors = results.filter(({ killer }) => killer !== null);
  const byJourney = Map.groupBy(survivors, ({ killer }) =>
    JSON.stringify([killer?.ruleset, killer?.given, killer?.steps]),
  );
  const target = resolve(cwd, folder);
  makeFolder(target);
  const files = new Map<string, string>();
  const digits = String(byJourney.size).length;
  for (const [index, sharing] of [...byJourney.values()].entries()) {
    const [first] = sharing;
    if (first?.killer == null) continue;
    const path = join(target, `mutant-${String(index + 1).padStart(digits, '0')}.yaml`);
    const comment = [
      'Distinguishes the model from these mutants:',
      ...sharing.map(({ mutant }) => `- ${mutant.id}`),
    ].join('\n');
    writeFileSync(path, scenarioYaml(first.killer, comment));
    for (const { mutant } of sharing) files.set(mutant.id, relative(cwd, path));
  }
  return files;
}
