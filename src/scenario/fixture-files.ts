import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { computeSha256 } from '../core/digest.ts';
import { dataBytesMax, textAtMost } from './data-file.ts';

/** The folders of a fixtures folder. */
export const fixtureKinds = ['tenants', 'users', 'clients', 'faults', 'lookup'] as const;
export type FixtureKind = (typeof fixtureKinds)[number];

/** The files of a kind in a folder, sorted. A folder that is not there holds none: a user's project need not have all kinds. */
export function fixtureFiles(folder: string, kind: FixtureKind): readonly string[] {
  const ofKind = join(folder, kind);
  try {
    const names = readdirSync(ofKind).filter((file) => ['.yaml', '.yml', '.json'].includes(extname(file)));
    return names.sort().map((file) => join(ofKind, file));
  } catch {
    return [];
  }
}

/** A digest of all fixtures of folders: their order, names and texts, none of those that are too large to be read. Throws when a file that is listed cannot be read. */
export function fixturesDigest(folders: readonly string[]): string {
  const files = folders.flatMap((folder) => fixtureKinds.flatMap((kind) => fixtureFiles(folder, kind)));
  return computeSha256(JSON.stringify(files.map((file) => [file, textAtMost(file, dataBytesMax)])));
}
