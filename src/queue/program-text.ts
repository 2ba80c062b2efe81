import { join } from 'node:path';
import { sourceDigest } from '../core/source-text.ts';

/** Where all that decides a result stands, from this file: the same in the sources and in what is built from them. */
const roots = ['../../machines', '..'] as const;

let known: string | undefined;

/**
 * The digest of the program's own text: of every source file that a job may run. Sender and worker have the same one, or the
 * worker refuses: it might come to other results. It is asked for once a process, and takes some tens of milliseconds.
 */
export function programText(): string {
  known ??= sourceDigest(roots.map((root) => join(import.meta.dirname, root)));
  return known;
}
