import type { Sandbox } from '../sandbox/sandbox.ts';

/**
 * Runs a task for a response, and waits until the store has saved everything that its result or its error may show,
 * because data that a client has seen must survive a crash. Rejects with the error of the task, or with that of the
 * store.
 */
export async function afterCommit<T>(sandbox: Pick<Sandbox, 'settled'>, task: () => T | Promise<T>): Promise<T> {
  try {
    return await task();
  } finally {
    const pending = sandbox.settled();
    if (pending !== null) await pending;
  }
}
