import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computeSha256 } from '../core/digest.ts';

/** Root folder of the program's modules, which are either sources or build output. */
const top = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of all modules that affect the meaning of a scenario file. */
export const decidingFolders = [
  'machines',
  'src/contract',
  'src/core',
  'src/documents',
  'src/journal',
  'src/properties',
  'src/sandbox',
  'src/scenario',
];

/**
 * Files that npm writes at every installation, both if the program is the root package and if it is a dependency.
 */
const installed = ['package.json', 'node_modules/.package-lock.json', '../package.json', '../../.package-lock.json'];

/**
 * Computes a digest of the program from the names, sizes and times of its files, including the change time of their
 * metadata. The digest changes if the program is edited, if another version of it or of a dependency is installed,
 * or if another Node.js version runs it.
 */
export function programDigest(nodeVersion: string): string {
  const files = decidingFolders.flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true }),
  );
  const paths = [...files.filter((file) => file.isFile()).map(getPath), ...installed.map((file) => join(top, file))];
  return computeSha256(JSON.stringify([nodeVersion, paths.sort().map(getStamp)]));
}

function getPath({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

function getStamp(path: string): readonly (string | number)[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [path] : [path, stats.size, stats.mtimeMs, stats.ctimeMs];
}
