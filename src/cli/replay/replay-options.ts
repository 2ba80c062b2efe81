import { journalEntriesMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, list, text } from '../option.ts';

/** The options of `nudgelab replay`. */
export const replayOptions = {
  driver: {
    ...list('--driver <names>', 'repeat the journey on model, http, browser, or a driver of the configuration'),
    words: builtInDrivers,
  },
  queue: text('--queue <address>', 'use nudgelab worker processes through a queue in Redis: redis://host:port'),
  url: text('--url <address>', 'running server for --driver (default: a new one)'),
  controlKey: controlKeyOption,
  step: integer('--step <number>', 'show one step; 0 is the initial state', { min: 0, max: journalEntriesMax }),
  interactive: flag('--interactive', 'step through the journey in a terminal: left, right, g, G, q'),
} as const;

/** What the command is given. */
export type ReplayArguments = ArgumentsOf<typeof replayOptions>;
