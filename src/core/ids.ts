import { randomUUID } from 'node:crypto';

/** An id that no other run will give out again: for secrets and tokens, which no replay has to repeat. */
export function randomId(): string {
  return randomUUID();
}
