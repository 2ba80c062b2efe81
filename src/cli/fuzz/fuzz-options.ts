import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, seedMax, text } from '../option.ts';

/** The options of `nudgelab fuzz`. */
export const fuzzOptions = {
  driver: {
    ...text('--driver <name>', 'driver: model, http, browser, or one of the configuration (default: http)'),
    words: builtInDrivers,
  },
  url: text('--url <address>', 'use a running server'),
  controlKey: controlKeyOption,
  seed: integer('--seed <number>', 'random seed (default: 1)', { min: 0, max: seedMax }),
  path: text('--path <path>', 'start with the walk that a failure names'),
  runs: integer('--runs <number>', 'number of walks (default: 100)', { min: 1, max: 1_000_000 }),
  maxSteps: integer('--max-steps <number>', 'maximum number of steps of a walk (default: 25)', { min: 1, max: 1_000 }),
  maxShrinks: integer('--max-shrinks <number>', 'maximum number of journeys that shrinking tries (default: 300)', {
    min: 0,
    max: 100_000,
  }),
  timeLimit: integer('--time-limit <seconds>', 'time limit; results so far are kept and marked as incomplete', {
    min: 1,
    max: 86_400,
  }),
  out: text('--out <folder>', 'folder for the scenario of a difference (default: nudgelab-fuzz)'),
} as const;

/** What the command is given. */
export type FuzzArguments = ArgumentsOf<typeof fuzzOptions>;
