import type { ArgumentsOf } from '../command.ts';

/** The options of `nudgelab lint`. */
export const lintOptions = {} as const;

/** What the command is given. */
export type LintArguments = ArgumentsOf<typeof lintOptions>;
