import type { CommandContext } from '../context.ts';
import { print } from '../print.ts';

/** Stop signals during a run. */
export interface StopSignal {
  /** Returns `true` after the first signal. No further scenario is started then. */
  isRequested(): boolean;
  /** Ends listening, so that a signal ends the process again. */
  end(): void;
}

/**
 * Waits for a signal while scenarios run on a server or in workers. At the first one, the scenarios in progress are finished,
 * so that no sandbox and no job is left behind. A second one ends the process. The model leaves nothing behind, and it runs
 * scenarios without pauses in which a signal would be noticed, so the first signal ends the process there.
 *
 * @param names - drivers of the run
 */
export function listenForStop(names: readonly string[], { onStop, stderr }: CommandContext): StopSignal {
  if (names.every((name) => name === 'model')) return { isRequested: () => false, end: () => undefined };
  let requested = false;
  const end = onStop(() => {
    if (requested) return;
    requested = true;
    print(stderr, {}, () => ['Stopping after the scenarios in progress. Press Ctrl+C again to stop at once.']);
  });
  return { isRequested: () => requested, end };
}
