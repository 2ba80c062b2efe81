import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type FixtureKind, fixtureKinds } from '../contract/fixture-kinds.ts';
import { computeSha256 } from '../core/digest.ts';
import { dataBytesMax, textAtMost } from './data-file.ts';

/**
 * Returns the sorted files of a kind in a folder. A missing folder has no files, because a project does not need
 * all kinds.
 */
export function fixtureFiles(folder: string, kind: FixtureKind): readonly string[] {
  const ofKind = join(folder, kind);
  try {
    const names = readdirSync(ofKind).filter((file) => ['.yaml', '.yml', '.json'].includes(extname(file)));
    return names.sort().map((file) => join(ofKind, file));
  } catch {
    return [];
  }
}

/**
 * Computes a digest of the order, names and texts of all fixtures in the folders. The text of a file that is too
 * large is omitted. Throws if a listed file cannot be read.
 */
export function fixturesDigest(folders: readonly string[]): string {
  const files = folders.flatMap((folder) => fixtureKinds.flatMap((kind) => fixtureFiles(folder, kind)));
  return computeSha256(JSON.stringify(files.map((file) => [file, textAtMost(file, dataBytesMax)])));
}
