import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computeSha256 } from '../core/digest.ts';

/** Where the program's modules stand: the sources, or what was built from them. */
const top = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of all modules that decide what a scenario file means. */
export const decidingFolders = [
  'machines',
  'src/contract',
  'src/core',
  'src/documents',
  'src/journal',
  'src/sandbox',
  'src/scenario',
];

/** What npm writes at every installation, where the program is the top and where it is installed below one. */
const installed = ['package.json', 'node_modules/.package-lock.json', '../package.json', '../../.package-lock.json'];

/**
 * A digest of the program as it stands on the disk: names, sizes and times of its files, those of a change of name or rights
 * too. Anyone who edits the program, installs another version of it or of what it depends on, or runs it by another Node, gets
 * another digest. Takes the version of Node.
 */
export function programDigest(nodeVersion: string): string {
  const files = decidingFolders.flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true }),
  );
  const paths = [...files.filter((file) => file.isFile()).map(pathOf), ...installed.map((file) => join(top, file))];
  return computeSha256(JSON.stringify([nodeVersion, paths.sort().map(stampOf)]));
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

function stampOf(path: string): readonly (string | number)[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [path] : [path, stats.size, stats.mtimeMs, stats.ctimeMs];
}
