import type { CommandContext } from './context.ts';
import { paletteFor } from './palette.ts';
import { clearOver, printOver } from './print.ts';

/** Time between two writings of the line, in ms: quicker ones cannot be read. */
const intervalMs = 80;

/** One line that tells how far something is; nothing where no one watches. */
export interface CountingProgress {
  /** Takes the line, and whether it has to be shown however short a time ago the last one was. */
  show(line: string, always?: boolean): void;
  clear(): void;
}

/** Progress on the terminal of a person; in CI and off a terminal there is none. */
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
