import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, seedMax, text } from '../option.ts';

/** The options of `nudgelab fuzz`. */
export const fuzzOptions = {
  driver: {
    ...text('--driver <name>', 'driver to walk: model, http, browser, or one of the configuration; default: http'),
    words: builtInDrivers,
  },
  url: text('--url <address>', 'use the server that runs there'),
  controlKey: controlKeyOption,
  seed: integer('--seed <number>', 'draw the walks by this seed; default: 1', { min: 0, max: seedMax }),
  path: text('--path <path>', 'begin with the walk that a failure named'),
  walks: integer('--walks <number>', 'walks to walk; default: 100', { min: 1, max: 1_000_000 }),
  steps: integer('--steps <number>', 'steps of a walk at most; default: 25', { min: 1, max: 1_000 }),
  tries: integer('--tries <number>', 'journeys that shrinking may try; default: 300', { min: 0, max: 100_000 }),
  budget: integer('--budget <seconds>', 'end after so long; what was found is kept and marked as incomplete', {
    min: 1,
    max: 86_400,
  }),
  write: text('--write <folder>', 'folder for the scenario of a walk that differs; default: nudgelab-fuzz'),
} as const;

/** What the command is given. */
export type FuzzArguments = ArgumentsOf<typeof fuzzOptions>;
