import type { ArgumentsOf } from '../command.ts';

/** Options of `nudgelab lint`. */
export const lintOptions = {} as const;

/** Arguments of `nudgelab lint`. */
export type LintArguments = ArgumentsOf<typeof lintOptions>;
