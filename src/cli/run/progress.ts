import type { ScenarioResult } from '../../contract/result.schema.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { clearOver, printOver } from '../print.ts';

/** Interval between updates of the line in milliseconds. Faster updates are not readable. */
const intervalMs = 80;
const columnsDefault = 80;

/** Progress line of a run. It has no output if there is no terminal. */
export interface Progress {
  show(result: ScenarioResult, done: number, total: number): void;
  clear(): void;
}

/**
 * Creates a progress line for an interactive terminal. In CI, without a terminal and in quiet mode it has no
 * output.
 */
export function progressFor(context: CommandContext, quiet: boolean, color: boolean): Progress {
  const { stderr, env, clock } = context;
  const watched = stderr.isTty && !quiet && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!watched) return { show: () => undefined, clear: () => undefined };
  const { bad, faint } = paletteFor(stderr, context, color);
  const elapsedMs = clock.stopwatch();
  let failed = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show: (result, done, total) => {
      if (result.status === 'failed') failed += 1;
      if (elapsedMs() - shownMs < intervalMs && done < total) return;
      shownMs = elapsedMs();
      printOver(stderr, { driver: result.driver, id: result.id }, ({ driver, id }) => {
        const counts = `${done}/${total} ${driver}`;
        const failures = failed === 0 ? '' : `  ${bad(`${failed} failed`)}`;
        const room = (stderr.columns ?? columnsDefault) - counts.length - `${failed} failed`.length - 6;
        return `${counts}${failures}  ${faint(id.slice(0, Math.max(0, room)))}`;
      });
    },
    clear: () => clearOver(stderr),
  };
}
