import type { ArgumentsOf } from '../command.ts';
import { flag } from '../option.ts';

/** Options of `nudgelab ruleset`. */
export const rulesetOptions = {
  strict: flag('--strict', 'check: treat warnings as faults'),
} as const;

/** Arguments of `nudgelab ruleset`. */
export type RulesetArguments = ArgumentsOf<typeof rulesetOptions>;
