import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { clearOver, printOver } from '../print.ts';

/** Time between two writings of the line, in ms: quicker ones cannot be read. */
const intervalMs = 80;

/** The one line that tells how far the work is; nothing where no one watches. */
export interface GenerateProgress {
  /** Takes how many tests were walked, and how many there are. */
  readonly show: (done: number, total: number) => void;
  /** Takes how many rows the best array has, and how many it needs at least. */
  readonly showRows: (progress: { readonly size: number; readonly lowerBound: number }) => void;
  readonly clear: () => void;
}

/** Progress on the terminal of a person; in CI, off a terminal and with JSON there is none. */
export function generateProgress(context: CommandContext, quiet: boolean, color: boolean): GenerateProgress {
  const { stderr, env, clock } = context;
  const watched = stderr.isTty && !quiet && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!watched) return { show: () => undefined, showRows: () => undefined, clear: () => undefined };
  const { faint } = paletteFor(stderr, context, color);
  const elapsedMs = clock.stopwatch();
  let shownMs = Number.NEGATIVE_INFINITY;
  printOver(stderr, {}, () => faint('looking for tests'));
  return {
    show: (done, total) => {
      if (elapsedMs() - shownMs < intervalMs && done < total) return;
      shownMs = elapsedMs();
      printOver(stderr, {}, () => `${done}/${total} ${faint('tests walked')}`);
    },
    showRows: ({ size, lowerBound }) => {
      printOver(stderr, {}, () => `${size} rows ${faint(`found; ${lowerBound} are needed at least`)}`);
    },
    clear: () => clearOver(stderr),
  };
}
