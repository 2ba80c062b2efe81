import { join } from 'node:path';
import { builtDigests } from '../core/built-digests.ts';
import { sourceDigest } from '../core/source-text.ts';

/**
 * Folders of the event handling and of everything that it may import, relative to this file.
 */
const roots = ['../../machines', '.', '../core', '../contract'] as const;

let known: string | undefined;

/**
 * Computes a digest of the source files that can affect a rebuilt state: machines, rulesets and event handling. A
 * stored snapshot with another digest is ignored. The function reads about sixty files once and is called only for
 * durable stores.
 */
export function computeModelDigest(): string {
  known ??= builtDigests?.model ?? sourceDigest(roots.map((root) => join(import.meta.dirname, root)));
  return known;
}
