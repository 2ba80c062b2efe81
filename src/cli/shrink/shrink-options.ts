import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, text } from '../option.ts';

/** The options of `nudgelab shrink`. */
export const shrinkOptions = {
  driver: {
    ...text('--driver <name>', 'driver that it fails on: model, http, browser, or an own one; default: model'),
    words: builtInDrivers,
  },
  url: text('--url <address>', 'use the server that runs there'),
  controlKey: controlKeyOption,
  tries: integer('--tries <number>', 'journeys that may be tried; default: 1000', { min: 1, max: 100_000 }),
  budget: integer('--budget <seconds>', 'end after so long with the shortest one so far', { min: 1, max: 86_400 }),
  write: text('--write <file>', 'where to save the result; default: beside the file, as name.shrunk.yaml'),
} as const;

/** What the command is given. */
export type ShrinkArguments = ArgumentsOf<typeof shrinkOptions>;
