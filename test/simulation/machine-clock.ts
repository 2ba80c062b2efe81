/**
 * Replaces the clock of the machine. Once a server was started in this process, `Date` is the one of `src/core`, which
 * reads the machine's clock from its own state.
 *
 * @param now - time in milliseconds since the epoch
 * @returns a function that brings the real clock back
 */
export function replaceMachineClock(now: () => number): () => void {
  const installed = Reflect.get(Date, Symbol.for('nudgelab.sandbox-date')) as { machineNow: () => number } | undefined;
  if (installed === undefined) {
    const real = Date.now;
    Date.now = now;
    return () => {
      Date.now = real;
    };
  }
  const real = installed.machineNow;
  installed.machineNow = now;
  return () => {
    installed.machineNow = real;
  };
}
