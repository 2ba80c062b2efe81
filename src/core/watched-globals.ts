/**
 * Watch over what a pure function must not use: the clock, chance, timers and the network. Only this folder may replace
 * such globals. Functions that code keeps from a watched task, such as `const { now } = Date`, are watched for good.
 */

/** Reports the use of a global, such as `Date.now`. */
export type UseReport = (name: string) => void;

let current: UseReport | null = null;

type AnyFunction = (...args: readonly unknown[]) => unknown;
type Holder = Record<string, unknown>;

const functionsOf: Readonly<Record<string, readonly string[]>> = {
  Math: ['random'],
  performance: ['now'],
  crypto: ['getRandomValues', 'randomUUID'],
  process: ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage'],
};
/** Functions of the process that end it. */
const endings = ['exit', 'abort', 'kill'];
const globalFunctions = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'WebSocket', 'EventSource'];

/** Modules of Node.js with the clock, chance or the network. */
export const impureModules: ReadonlySet<string> = new Set(
  [
    'child_process cluster crypto dgram dns dns/promises fs fs/promises http http2 https inspector net os perf_hooks',
    'process readline repl sqlite timers timers/promises tls worker_threads',
  ].flatMap((line) => line.split(' ').map((name) => `node:${name}`)),
);

/**
 * Runs a task that must be pure, and reports each use of the clock, chance, timers or the network.
 *
 * @param task - synchronous task
 * @param report - receives the name of each used global
 * @returns the result of the task
 */
export function watchGlobals<T>(task: () => T, report: UseReport): T {
  const before = current;
  const restore = before === null ? replaceGlobals() : [];
  current = report;
  try {
    return task();
  } finally {
    current = before;
    for (const undo of restore) undo();
  }
}

/** Runs a part of a watched task whose uses are not reported, such as reading a file that the task loads. */
export function withoutWatch<T>(task: () => T): T {
  const before = current;
  current = null;
  try {
    return task();
  } finally {
    current = before;
  }
}

function watched(name: string, original: AnyFunction): AnyFunction {
  return new Proxy(original, {
    apply: (target, self, args: readonly unknown[]) => {
      const isWatched = current !== null;
      current?.(name);
      const result: unknown = Reflect.apply(target, self, args);
      // No code waits for what a watched task began, so its failure must not end the process.
      if (isWatched && result instanceof Promise) result.catch(() => undefined);
      return result;
    },
    construct: (target, args: readonly unknown[], newTarget: AnyFunction) => {
      current?.(name);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}

/** Replaces the end of the process, which would hide what a watched task did. */
function refused(name: string): AnyFunction {
  return () => {
    current?.(name);
    throw new Error(`${name} is not available here`);
  };
}

function watchedDate(original: DateConstructor): DateConstructor {
  const now = watched('Date.now', original.now as AnyFunction);
  return new Proxy(original, {
    apply: (target, self, args: readonly unknown[]) => {
      current?.('Date()');
      return Reflect.apply(target as unknown as AnyFunction, self, args) as string;
    },
    construct: (target, args: readonly unknown[], newTarget: AnyFunction) => {
      if (args.length === 0) current?.('new Date()');
      return Reflect.construct(target, args, newTarget) as object;
    },
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
}

function replaceGlobals(): readonly (() => void)[] {
  const all = globalThis as unknown as Holder;
  const undo = [replace(all, 'Date', watchedDate(Date))];
  for (const name of globalFunctions) {
    const original = all[name];
    if (typeof original === 'function') undo.push(replace(all, name, watched(name, original as AnyFunction)));
  }
  for (const [group, names] of Object.entries(functionsOf)) {
    const holder = all[group] as Holder | undefined;
    for (const name of names) {
      const original = holder?.[name];
      if (holder === undefined || typeof original !== 'function') continue;
      // Methods of native objects need their own `this`.
      const bound = (original as AnyFunction).bind(holder);
      undo.push(replace(holder, name, watched(`${group}.${name}`, bound as AnyFunction)));
    }
  }
  const ends = all['process'] as Holder | undefined;
  for (const name of ends === undefined ? [] : endings) {
    if (ends !== undefined) undo.push(replace(ends, name, refused(`process.${name}`)));
  }
  return undo;
}

/** Replaces a property and returns the function that restores it. */
function replace(holder: Holder, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  });
  return () => {
    if (before === undefined) delete holder[name];
    else Object.defineProperty(holder, name, before);
  };
}
