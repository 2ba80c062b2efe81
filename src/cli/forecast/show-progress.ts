import type { CommandContext } from '../context.ts';
import { clearOver, printOver } from '../print.ts';

/** Progress display of a long run. */
export interface Progress {
  /** Shows the completed share, from 0 to 1; `undefined` if progress is not shown. */
  readonly show: ((share: number) => void) | undefined;
  /** Removes the progress display. */
  readonly end: () => void;
}

/** Shows the completed share and the remaining time on a terminal. Without a terminal, nothing is shown. */
export function showProgress({ stderr, env, clock }: CommandContext, json: boolean): Progress {
  const watched = stderr.isTty && !json && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!watched) return { show: undefined, end: () => undefined };
  const elapsed = clock.stopwatch();
  return {
    show: (share) => {
      const leftSeconds = share === 0 ? null : Math.ceil(((elapsed() / share) * (1 - share)) / 1_000);
      const left = leftSeconds === null ? '' : `, about ${leftSeconds} s left`;
      printOver(stderr, {}, () => `${Math.floor(share * 100)} %${left}`);
    },
    end: () => clearOver(stderr),
  };
}
