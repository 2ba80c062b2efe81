import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Module resolution modes that a package without CommonJS files does not support. */
const foreignWays: readonly string[] = ['node10', 'node16-cjs'];

/**
 * Lists the problems with the entry points of a package, one per line: missing files, conditions in the wrong
 * order, and types that do not match the module.
 *
 * @param folder - folder of the unpacked package
 * @param tarball - file with the packed package
 * @returns the problems; none if the entry points are valid
 */
export async function entryFaults(folder: string, tarball: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
  const typed = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  const problems = typed.types === false ? [{ kind: 'no types' }] : typed.problems;
  const wrong = problems.filter(
    (one) => !('resolutionKind' in one && foreignWays.includes(String(one.resolutionKind))),
  );
  return [
    ...messages.map((message) => `publint: ${message.code}: ${formatMessage(message, pkg) ?? message.path.join('.')}`),
    ...wrong.map((problem) => `are the types wrong: ${JSON.stringify(problem)}`),
  ];
}
