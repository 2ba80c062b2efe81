import { afterDelay } from '../core/clock.ts';

/** Sleeps until it is woken, or for so long at most. */
export class Waiter {
  #resolve = (): void => undefined;

  /** Ends the sleep, if there is one. */
  wake(): void {
    this.#resolve();
  }

  /** Sleeps for `limitMs` at most. */
  async sleep(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolve = resolve;
    const cancel = afterDelay(limitMs, resolve);
    await promise;
    cancel();
  }
}

/** Waits for something, which may wait for Redis to come back, for so long at most. Returns whether it ended; throws what it throws. */
export async function endsWithin(task: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = afterDelay(limitMs, () => resolve(false));
  try {
    return await Promise.race([task.then(() => true), promise]);
  } finally {
    cancel();
  }
}
