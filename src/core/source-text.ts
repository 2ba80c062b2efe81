import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeDigest } from './digest.ts';

const source = /(?<!\.d)\.[tj]s$/;

/**
 * The digest of the text of every source file below some folders, which changes whenever one of them does. Takes paths of folders; it
 * reads them again each time, so anyone who asks keeps the answer. The same in the sources and in what is built from them, each for itself.
 */
export function sourceDigest(folders: readonly string[]): string {
  return computeDigest(JSON.stringify(folders.flatMap(textsUnder)));
}

function textsUnder(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((found) => {
      const path = join(folder, found.name);
      if (found.isDirectory()) return textsUnder(path);
      return source.test(found.name) ? [[found.name, readFileSync(path, 'utf8')] as const] : [];
    });
}
