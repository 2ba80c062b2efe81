import { join } from 'node:path';
import { sourceDigest } from '../core/source-text.ts';

/** Where the fold and all that it may import stand, from this file: the same in the sources and in what is built from them. */
const roots = ['../../machines', '.', '../core', '../contract'] as const;

let known: string | undefined;

/**
 * The digest of the machines, the rulesets and the fold: of the text of every source file that a fold may run. A stored fold
 * with another digest is not used. It reads some sixty files once and is asked for durable stores only.
 */
export function computeModelDigest(): string {
  known ??= sourceDigest(roots.map((root) => join(import.meta.dirname, root)));
  return known;
}
