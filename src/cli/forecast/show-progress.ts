import type { CommandContext } from '../context.ts';
import { clearOver, printOver } from '../print.ts';

/** What a long run shows of itself. */
export interface Progress {
  /** Takes the share that is done, 0 to 1. */
  readonly show: ((share: number) => void) | undefined;
  /** Takes away what was shown. */
  readonly end: () => void;
}

/** Shows the share that is done on a terminal, with the time that is left; elsewhere nothing. */
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
