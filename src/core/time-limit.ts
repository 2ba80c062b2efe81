import { type Context, createContext, Script } from 'node:vm';

const script = new Script('act()');

/** Context of all tasks, because creating one takes longer than most tasks. */
let context: Context | null = null;

/** Error for a task that was stopped because its time was over. */
export class TimeOver extends Error {}

/**
 * Runs a synchronous task, and stops it when its time is over, even in a loop without end. Nothing in a stopped task runs
 * any more, not even `finally`.
 *
 * @param limitMs - maximum time in milliseconds
 * @param task - synchronous task
 * @returns the result of the task
 * @throws TimeOver if the task was stopped, and whatever the task throws
 */
export function withinTime<T>(limitMs: number, task: () => T): T {
  let result: { readonly value: T } | null = null;
  const act = (): void => {
    result = { value: task() };
  };
  context ??= createContext({});
  context['act'] = act;
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    // The error belongs to the context, so it is no instance of this one's classes.
    const { code } = (error ?? {}) as { readonly code?: unknown };
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TimeOver(`stopped after ${limitMs} ms`) : error;
  } finally {
    context['act'] = undefined;
  }
  return (result as unknown as { readonly value: T }).value;
}
