import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../core/digest.ts';

/** Where all that decides a result stands, from this file: the same in the sources and in what is built from them. */
const roots = ['../../machines', '..'] as const;

const source = /(?<!\.d)\.[tj]s$/;

let known: string | undefined;

/**
 * The digest of the program's own text: of every source file that a job may run. Sender and worker have the same one, or the
 * worker refuses: it might come to other results. It is asked for once a process, and takes some tens of milliseconds.
 */
export function programText(): string {
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
