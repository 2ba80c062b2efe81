import { afterDelay } from '../core/clock.ts';

/** Sleeps until it is woken up or a time limit is reached. */
export class Waiter {
  #resolve = (): void => undefined;

  /** Ends the current sleep, if any. */
  wake(): void {
    this.#resolve();
  }

  /** Sleeps for at most `limitMs` milliseconds. */
  async sleep(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolve = resolve;
    const cancel = afterDelay(limitMs, resolve);
    await promise;
    cancel();
  }
}

/**
 * Waits at most `limitMs` milliseconds for a task that can depend on a return of Redis.
 * @returns `true` if the task ended in time
 * @throws the errors of the task
 */
export async function endsWithin(task: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = afterDelay(limitMs, () => resolve(false));
  try {
    return await Promise.race([task.then(() => true), promise]);
  } finally {
    cancel();
  }
}
