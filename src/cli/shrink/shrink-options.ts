import type { ArgumentsOf } from '../command.ts';
import { driverOption, runningServerOption } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, text, timeLimitOption } from '../option.ts';

/** Options of `nudgelab shrink`. */
export const shrinkOptions = {
  driver: driverOption('driver on which the scenario fails', 'model'),
  url: runningServerOption,
  controlKey: controlKeyOption,
  maxShrinks: integer('--max-shrinks <number>', 'maximum number of journeys to try', {
    min: 1,
    max: 100_000,
    default: 1_000,
  }),
  timeLimit: timeLimitOption('keeps the shortest scenario so far'),
  out: text('--out <file>', 'output file', { whenOmitted: 'name.shrunk.yaml next to the file' }),
} as const;

/** Arguments of `nudgelab shrink`. */
export type ShrinkArguments = ArgumentsOf<typeof shrinkOptions>;
