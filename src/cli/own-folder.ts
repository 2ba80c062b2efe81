import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the program notes for its next run, below the folder that it was started in. */
const folderName = '.nudgelab';

/** The folder of the program's own notes. Takes the folder that the program was started in; nothing is made. */
export function ownFolder(cwd: string): string {
  return join(cwd, folderName);
}

/** Makes the folder of the program's own notes, which keeps itself out of version control. Throws where it cannot be written. */
export function makeOwnFolder(cwd: string): string {
  const folder = ownFolder(cwd);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  return folder;
}
