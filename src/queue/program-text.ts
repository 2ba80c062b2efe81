import { join } from 'node:path';
import { builtDigests } from '../core/built-digests.ts';
import { sourceDigest } from '../core/source-text.ts';

/**
 * Folders of all code that can affect a result, relative to this file.
 */
const roots = ['../../machines', '..'] as const;

let known: string | undefined;

/**
 * Computes a digest of all source files that a job can run. A worker with another digest than the sender rejects the
 * job, because its results could differ. The digest is computed once per process, which takes some tens of
 * milliseconds.
 */
export function programText(): string {
  known ??= builtDigests?.program ?? sourceDigest(roots.map((root) => join(import.meta.dirname, root)));
  return known;
}
