import type { SuiteRunner } from '../../scenario/run-suite.ts';
import type { CommandContext } from '../context.ts';
import { print } from '../print.ts';
import type { Progress } from './progress.ts';
import type { RunArguments } from './run-options.ts';

/** Runners that notice stop signals. */
export interface StoppableRunners {
  readonly runners: readonly SuiteRunner[];
  /** Returns `true` after the first signal. No further scenario is started then. */
  isRequested(): boolean;
}

/**
 * Lets runners notice stop signals while scenarios run on a server or in workers: the scenarios in progress are finished, so
 * that none leaves a sandbox behind. A second signal ends the process. The model leaves nothing behind, and it runs scenarios
 * without pauses in which a signal would be noticed, so the first signal ends the process there.
 *
 * @param runners - runners of the drivers
 * @param args - whether workers run the scenarios, also those of the model, and whether keys stop the run too
 * @param context - source of signals and output
 * @param progress - progress line, which the sentence about the signal replaces
 */
export function stopOnSignal(
  runners: readonly SuiteRunner[],
  { queue, watch }: Pick<RunArguments, 'queue' | 'watch'>,
  { onStop, stderr }: Pick<CommandContext, 'onStop' | 'stderr'>,
  progress: Pick<Progress, 'clear'>,
): StoppableRunners {
  let requested = false;
  const note = (): void => {
    if (requested) return;
    requested = true;
    progress.clear();
    const again = watch ? '' : ' Press Ctrl+C again to stop at once.';
    print(stderr, {}, () => [`Stopping after the scenarios in progress.${again}`]);
  };
  const stoppable = (runner: SuiteRunner): SuiteRunner => ({
    name: runner.name,
    run: async (...request) => {
      const end = onStop(note);
      try {
        return await runner.run(...request);
      } finally {
        end();
      }
    },
  });
  return {
    runners: runners.map((runner) => (runner.name === 'model' && queue === null ? runner : stoppable(runner))),
    isRequested: () => requested,
  };
}
