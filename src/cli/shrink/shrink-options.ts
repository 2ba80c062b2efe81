import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, text } from '../option.ts';

/** The options of `nudgelab shrink`. */
export const shrinkOptions = {
  driver: {
    ...text(
      '--driver <name>',
      'driver on which the scenario fails: model, http, browser, or your own (default: model)',
    ),
    words: builtInDrivers,
  },
  url: text('--url <address>', 'use a running server'),
  controlKey: controlKeyOption,
  maxShrinks: integer('--max-shrinks <number>', 'maximum number of journeys to try (default: 1000)', {
    min: 1,
    max: 100_000,
  }),
  timeLimit: integer('--time-limit <seconds>', 'time limit; keeps the shortest scenario so far', {
    min: 1,
    max: 86_400,
  }),
  out: text('--out <file>', 'output file (default: name.shrunk.yaml next to the file)'),
} as const;

/** What the command is given. */
export type ShrinkArguments = ArgumentsOf<typeof shrinkOptions>;
