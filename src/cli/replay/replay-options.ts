import { journalEntriesMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, list, text } from '../option.ts';

/** The options of `nudgelab replay`. */
export const replayOptions = {
  driver: {
    ...list('--driver <names>', 'do it again on model, http, browser or a driver of the configuration'),
    words: builtInDrivers,
  },
  queue: text('--queue <address>', 'have nudgelab worker processes do it, by a queue in Redis: redis://host:port'),
  url: text('--url <address>', 'a running server for --driver; default: one of its own'),
  controlKey: controlKeyOption,
  step: integer('--step <number>', 'show one step; 0 is the beginning', { min: 0, max: journalEntriesMax }),
  walk: flag('--walk', 'walk through it on a terminal: right and left, g and G for the ends, q to leave'),
} as const;

/** What the command is given. */
export type ReplayArguments = ArgumentsOf<typeof replayOptions>;
