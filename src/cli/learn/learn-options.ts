import type { ArgumentsOf } from '../command.ts';
import { driverOption, runningServerOption } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, seedOption, text, timeLimitOption } from '../option.ts';

/** Options of `nudgelab learn`. */
export const learnOptions = {
  driver: driverOption('driver of the system', 'model'),
  url: runningServerOption,
  controlKey: controlKeyOption,
  alphabet: text('--alphabet <file>', 'file with the steps to learn, NAME.alphabet.yaml', {
    whenOmitted: 'one user and one campaign',
  }),
  fault: text('--fault <id>', 'plant a fault in the model: id of a mutant that `mutate` prints'),
  specification: text('--specification <machine>', 'name or module of the machine that the operand should equal'),
  extraStates: integer('--extra-states <states>', 'number of additional states up to which the tests are complete', {
    min: 0,
    max: 5,
    whenOmitted: '0, and 1 for a machine',
  }),
  tests: integer('--tests <number>', 'number of random tests of each hypothesis', {
    min: 0,
    max: 1_000_000,
    default: 100,
  }),
  seed: seedOption('random seed of the tests', { default: 1 }),
  resetCost: integer('--reset-cost <steps>', 'cost of a new session in steps; random tests become longer', {
    min: 0,
    max: 1_000,
    default: 5,
  }),
  maxQueries: integer('--max-queries <number>', 'maximum number of sessions', { min: 1, max: 1_000_000_000 }),
  timeLimit: timeLimitOption('what is known so far is printed, and the exit code is 1'),
  first: flag('--first', 'stop at the first difference'),
  out: text('--out <folder>', 'write the machine, its pictures, and a scenario for each difference'),
} as const;

/** Arguments of `nudgelab learn`. */
export type LearnArguments = ArgumentsOf<typeof learnOptions>;
