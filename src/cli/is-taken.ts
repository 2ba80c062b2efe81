import { lstatSync } from 'node:fs';

/**
 * Checks whether a path is occupied. A link counts even if it is broken, because writing to it would write to
 * another path.
 */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
