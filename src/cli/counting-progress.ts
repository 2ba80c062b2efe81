import type { CommandContext } from './context.ts';
import { paletteFor } from './palette.ts';
import { clearOver, printOver } from './print.ts';

/** Interval between updates of the line in milliseconds. Faster updates are not readable. */
const intervalMs = 80;

/** Progress line on a terminal. It has no output if there is no terminal. */
export interface CountingProgress {
  /** Shows a line. `always` skips the minimum interval between updates. */
  show(line: string, always?: boolean): void;
  clear(): void;
}

/** Creates a progress line for an interactive terminal. In CI and without a terminal it has no output. */
export function countingProgress(context: CommandContext, color: boolean): CountingProgress {
  const { stderr, env, clock } = context;
  const watched = stderr.isTty && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!watched) return { show: () => undefined, clear: () => undefined };
  const { faint } = paletteFor(stderr, context, color);
  const elapsedMs = clock.stopwatch();
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show: (line, always = false) => {
      if (!always && elapsedMs() - shownMs < intervalMs) return;
      shownMs = elapsedMs();
      printOver(stderr, line, faint);
    },
    clear: () => clearOver(stderr),
  };
}
