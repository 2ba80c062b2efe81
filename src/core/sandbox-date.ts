import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Virtual time for libraries that read the global `Date` and accept no clock. Inside `withClock`, `Date` shows the
 * clock of a sandbox. Outside, it shows the machine's clock. Only this folder may replace `Date`, and the server's
 * entry point installs it.
 */

/** Function that returns the virtual time in milliseconds since the epoch. */
type TellsTime = () => number;

/** Data attached to the installed `Date`, which lets a second copy of this module find the first one. */
interface Installed {
  readonly clocks: AsyncLocalStorage<TellsTime>;
  readonly machineNow: TellsTime;
}

const mark = Symbol.for('nudgelab.sandbox-date');

type MarkedDate = DateConstructor & { readonly [mark]?: Installed };

/** State that is created before `Date` is replaced, so `machineNow` always reads the machine's clock. */
const own: Installed = (Date as MarkedDate)[mark] ?? { clocks: new AsyncLocalStorage(), machineNow: Date.now };

/**
 * Returns the time of the machine's clock in milliseconds since the epoch, even inside `withClock`. A test can
 * replace `Date` before it is installed.
 */
export const machineNow: TellsTime = () => ((Date as MarkedDate)[mark] === undefined ? Date.now() : own.machineNow());

/**
 * Runs a task with a `Date` that shows a virtual clock. It also applies to all asynchronous work that the task
 * starts. `nowMs` returns the time in milliseconds.
 */
export function withClock<T>(nowMs: TellsTime, task: () => T): T {
  return own.clocks.run(nowMs, task);
}

/** Replaces the global `Date` with one that uses the virtual clock. A second call has no effect. */
export function installSandboxDate(): void {
  const RealDate = Date as MarkedDate;
  if (RealDate[mark] !== undefined) return;
  const now: TellsTime = () => {
    const clock = own.clocks.getStore();
    return clock === undefined ? own.machineNow() : clock();
  };
  function SandboxDate(this: unknown, ...parts: readonly unknown[]): Date | string {
    if (new.target === undefined) return new RealDate(now()).toString();
    return Reflect.construct(RealDate, parts.length === 0 ? [now()] : parts, new.target) as Date;
  }
  Object.defineProperties(SandboxDate, {
    ...Object.getOwnPropertyDescriptors(RealDate),
    now: { value: now, writable: true, configurable: true },
    [mark]: { value: own },
  });
  // The prototype is the same object, so every existing date is also an instance of the new constructor.
  Object.defineProperty(RealDate.prototype, 'constructor', { value: SandboxDate, writable: true, configurable: true });
  globalThis.Date = SandboxDate as unknown as DateConstructor;
}
