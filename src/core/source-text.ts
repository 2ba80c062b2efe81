import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeDigest } from './digest.ts';

const source = /(?<!\.d)\.[tj]s$/;

/**
 * Computes a digest of the text of all source files in some folders. It changes whenever one of them changes. The
 * files are read on every call, so callers store the result.
 */
export function sourceDigest(folders: readonly string[]): string {
  return computeDigest(JSON.stringify(folders.flatMap(textsUnder)));
}

function textsUnder(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return textsUnder(path);
      return entry.isFile() && source.test(entry.name) ? [[entry.name, readFileSync(path, 'utf8')] as const] : [];
    });
}
