import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { clearOver, printOver } from '../print.ts';

/** Interval between updates of the line in milliseconds. Faster updates are not readable. */
const intervalMs = 80;

/** Progress line of the generation. It has no output if there is no terminal. */
export interface GenerateProgress {
  /** Shows how many tests have been computed and how many there are. */
  readonly show: (done: number, total: number) => void;
  /** Shows the number of rows in the best array and the lower bound. */
  readonly showRows: (progress: { readonly size: number; readonly lowerBound: number }) => void;
  readonly clear: () => void;
}

/**
 * Creates a progress line for an interactive terminal. In CI, without a terminal and with JSON it has no output.
 */
export function generateProgress(context: CommandContext, quiet: boolean, color: boolean): GenerateProgress {
  const { stderr, env, clock } = context;
  const watched = stderr.isTty && !quiet && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!watched) return { show: () => undefined, showRows: () => undefined, clear: () => undefined };
  const { faint } = paletteFor(stderr, context, color);
  const elapsedMs = clock.stopwatch();
  let shownMs = Number.NEGATIVE_INFINITY;
  printOver(stderr, {}, () => faint('generating tests'));
  return {
    show: (done, total) => {
      if (elapsedMs() - shownMs < intervalMs && done < total) return;
      shownMs = elapsedMs();
      printOver(stderr, {}, () => `${done}/${total} ${faint('tests walked')}`);
    },
    showRows: ({ size, lowerBound }) => {
      printOver(stderr, {}, () => `${size} rows ${faint(`found; lower bound ${lowerBound}`)}`);
    },
    clear: () => clearOver(stderr),
  };
}
