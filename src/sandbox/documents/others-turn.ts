import { afterPendingInput } from '../../core/clock.ts';

/** Lets other work of the process go on. */
export function othersTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  afterPendingInput(resolve);
  return promise;
}
