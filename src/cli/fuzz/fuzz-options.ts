import type { ArgumentsOf } from '../command.ts';
import { driverOption, runningServerOption, watchedPropertiesOption } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, seedOption, text, timeLimitOption } from '../option.ts';

/** Options of `nudgelab fuzz`. */
export const fuzzOptions = {
  driver: driverOption('driver', 'http'),
  properties: watchedPropertiesOption,
  url: runningServerOption,
  controlKey: controlKeyOption,
  seed: seedOption('random seed', { default: 1 }),
  path: text('--path <path>', 'start with the random walk named by a failure'),
  runs: integer('--runs <number>', 'number of random walks', { min: 1, max: 1_000_000, default: 100 }),
  maxSteps: integer('--max-steps <number>', 'maximum number of steps of a random walk', {
    min: 1,
    max: 1_000,
    default: 25,
  }),
  maxShrinks: integer('--max-shrinks <number>', 'maximum number of journeys that shrinking tries', {
    min: 0,
    max: 100_000,
    default: 300,
  }),
  timeLimit: timeLimitOption('results so far are kept and marked as incomplete'),
  out: text('--out <folder>', 'folder for the scenario that shows the difference', { default: 'nudgelab-fuzz' }),
} as const;

/** Arguments of `nudgelab fuzz`. */
export type FuzzArguments = ArgumentsOf<typeof fuzzOptions>;
