import { journalEntriesMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { driversOption, queueOption, runningServerOption, watchedPropertiesOption } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, list } from '../option.ts';

/** Options of `nudgelab replay`. */
export const replayOptions = {
  driver: driversOption('drivers that repeat the journey'),
  ruleset: list('--ruleset <files>', 'files of the rulesets that journeys name, besides those of the configuration'),
  properties: watchedPropertiesOption,
  queue: queueOption,
  url: runningServerOption,
  controlKey: controlKeyOption,
  step: integer('--step <number>', 'show one step; 0 is the initial state', { min: 0, max: journalEntriesMax }),
  interactive: flag('--interactive', 'step through the journey in a terminal: left, right, g, G, q'),
} as const;

/** Arguments of `nudgelab replay`. */
export type ReplayArguments = ArgumentsOf<typeof replayOptions>;
