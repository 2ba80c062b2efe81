import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, text } from '../option.ts';

/** The options of `nudgelab mutate`. */
export const mutateOptions = {
  generated: flag('--generated', 'measure the generated suite: journeys and rule decisions'),
  machine: text('--machine <name>', 'measure the generated tests of one machine, or of your own module'),
  rule: list('--rule <ids>', 'only mutants of these rules and assumptions'),
  operator: list('--operator <names>', 'only mutants of these operators, such as guard-negated'),
  filter: text('--filter <text>', 'only mutants with this text in their name'),
  skipEquivalence: flag('--skip-equivalence', 'do not decide which survivors are equivalent, and look for no journeys'),
  maxStatePairs: integer('--max-state-pairs <number>', 'state pairs that one decision may explore (default: 5000)', {
    min: 1,
    max: 10_000_000,
  }),
  timeLimit: integer('--time-limit <seconds>', 'time limit; results so far are kept and marked as incomplete', {
    min: 1,
    max: 86_400,
  }),
  threshold: integer('--threshold <percent>', 'required share of killable mutants that are killed (default: 100)', {
    min: 0,
    max: 100,
  }),
  out: text('--out <folder>', 'write a scenario for each journey that kills a survivor'),
} as const;

/** What the command is given. */
export type MutateArguments = ArgumentsOf<typeof mutateOptions>;
