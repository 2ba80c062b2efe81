import { afterPendingInput } from '../../core/clock.ts';

/** Yields to other work of the process. */
export function othersTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  afterPendingInput(resolve);
  return promise;
}
