import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../core/digest.ts';

/** Where the fold and all that it may import stand, from this file: the same in the sources and in what is built from them. */
const roots = ['../../machines', '.', '../core', '../contract'] as const;

const source = /(?<!\.d)\.[tj]s$/;

let known: string | undefined;

/**
 * The digest of the machines, the rulesets and the fold: of the text of every source file that a fold may run. A stored fold
 * with another digest is not used. It reads some sixty files once and is asked for durable stores only.
 */
export function foldDigest(): string {
  known ??= digestOf(JSON.stringify(roots.flatMap((root) => textsUnder(join(import.meta.dirname, root)))));
  return known;
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
