/** Replaces `node:async_hooks` in the browser, where no library needs the clock of a sandbox as `Date`. */
export class AsyncLocalStorage<T> {
  getStore(): T | undefined {
    return undefined;
  }

  run<R>(_store: T, task: () => R): R {
    return task();
  }
}
