/** Replaces the error of `src/core/time-limit.ts` in the browser, where no task is stopped. */
export class TimeOver extends Error {}

/**
 * Replaces `src/core/time-limit.ts` in the browser, which runs no gate modules.
 *
 * @param _limitMs - ignored
 * @param task - synchronous task
 * @returns the result of the task
 */
export function withinTime<T>(_limitMs: number, task: () => T): T {
  return task();
}
