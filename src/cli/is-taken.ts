import { lstatSync } from 'node:fs';

/** Whether something stands at a path already: a link as well, also one that leads nowhere, since what is written to it stands elsewhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
