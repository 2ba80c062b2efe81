import { randomUUID } from 'node:crypto';

/**
 * Creates a random id that no other run repeats. It is used for secrets and tokens, which a replay does not have to
 * reproduce.
 */
export function randomId(): string {
  return randomUUID();
}
