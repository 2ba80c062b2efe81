/**
 * `node tooling/check-folders.ts`: installs the packages of each folder that has its own package.json, and checks the types
 * of the code that uses them (decision 098). Prints the errors, or the number of files that the compiler read.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { foldersOnDemand, installOnDemand } from './packages-on-demand.ts';

/** Result of a type check. */
export interface TypeCheck {
  /** Number of files that the compiler read, including those of libraries. */
  readonly files: number;
  /** Output of the compiler if it failed or read no file; empty otherwise. */
  readonly complaint: string;
}

const root = join(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/**
 * Checks the types of a folder by its tsconfig.json, with the compiler of the root.
 *
 * @param path - folder, from the root
 * @param top - root of the repository
 * @returns the number of files, and what the compiler complains about
 */
export function checkTypes(path: string, top: string = root): TypeCheck {
  const compilerArguments = [compiler, '-p', path, '--diagnostics'];
  const { status, stdout, stderr } = spawnSync(process.execPath, compilerArguments, { cwd: top, encoding: 'utf8' });
  const files = Number(/^Files: +(\d+)/m.exec(stdout)?.[1] ?? 0);
  return { files, complaint: status === 0 && files > 0 ? '' : `${path}/:\n${stdout}${stderr}` };
}

if (import.meta.main) {
  let files = 0;
  for (const { path } of foldersOnDemand) {
    installOnDemand(path);
    const result = checkTypes(path);
    files += result.files;
    if (result.complaint !== '') {
      console.error(result.complaint);
      process.exitCode = 1;
    }
  }
  console.log(`${foldersOnDemand.length} folders, ${files} files`);
}
