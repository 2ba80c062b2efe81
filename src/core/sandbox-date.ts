import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Some libraries read the global `Date` and take no clock. Inside `withClock` that `Date` shows the clock of a sandbox; outside
 * it is the machine's. This folder alone may touch it; the server's entry installs it.
 */

/** Tells the virtual time in ms since the epoch. */
type TellsTime = () => number;

/** What an installed `Date` carries, so that a second copy of this module finds the first one's. */
interface Installed {
  readonly clocks: AsyncLocalStorage<TellsTime>;
  readonly machineNow: TellsTime;
}

const mark = Symbol.for('nudgelab.sandbox-date');

type MarkedDate = DateConstructor & { readonly [mark]?: Installed };

/** The parts are made before anything is installed: `machineNow` is the machine's own reading whatever happens later. */
const own: Installed = (Date as MarkedDate)[mark] ?? { clocks: new AsyncLocalStorage(), machineNow: Date.now };

/** The machine's clock in ms since the epoch, also inside `withClock`. A test may put another `Date` in its place. */
export const machineNow: TellsTime = () => ((Date as MarkedDate)[mark] === undefined ? Date.now() : own.machineNow());

/** Runs a task, and all that it begins, with a `Date` that shows a clock. Takes what tells its time in ms. */
export function withClock<T>(nowMs: TellsTime, task: () => T): T {
  return own.clocks.run(nowMs, task);
}

/** Puts the `Date` that asks for a clock in the place of the global one. A second call changes nothing. */
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
  // Every date, also one made before, is an instance of the new constructor: the prototype is the same object.
  Object.defineProperty(RealDate.prototype, 'constructor', { value: SandboxDate, writable: true, configurable: true });
  globalThis.Date = SandboxDate as unknown as DateConstructor;
}
