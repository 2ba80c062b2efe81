import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the folder for data between runs, inside the working directory. */
const folderName = '.nudgelab';

/** Returns the path of the program's data folder in the working directory. The folder is not created. */
export function ownFolder(cwd: string): string {
  return join(cwd, folderName);
}

/**
 * Creates the program's data folder, which excludes itself from version control. Throws an error if the folder
 * cannot be created.
 */
export function makeOwnFolder(cwd: string): string {
  const folder = ownFolder(cwd);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  return folder;
}
