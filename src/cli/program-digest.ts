import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtDigests } from '../core/built-digests.ts';
import { computeSha256 } from '../core/digest.ts';

/** Root folder of the program's modules. */
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
 * Computes a digest of the program from the names, sizes and times of its source files, including the change time of
 * their metadata, or from the digests of a built program. The digest changes if the program is edited, if another version of it or of a dependency is installed,
 * or if another Node.js version runs it.
 */
export function programDigest(nodeVersion: string): string {
  const sources = builtDigests === null ? decidingFolders.flatMap(listFiles) : [];
  const paths = [...sources, ...installed.map((file) => join(top, file))];
  return computeSha256(JSON.stringify([nodeVersion, builtDigests, paths.sort().map(getStamp)]));
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function getStamp(path: string): readonly (string | number)[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [path] : [path, stats.size, stats.mtimeMs, stats.ctimeMs];
}
