import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, negatedFlag, text } from '../option.ts';

/** The options of `nudgelab mutate`. */
export const mutateOptions = {
  generated: flag('--generated', 'measure what generate makes: journeys and the decisions of the rules'),
  machine: text('--machine <name>', 'measure generated tests of one machine alone, or of a module of your own'),
  rule: list('--rule <ids>', 'only mutants of these rules and assumptions'),
  operator: list('--operator <names>', 'only mutants of these operators, such as guard-negated'),
  filter: text('--filter <text>', 'only mutants with this text in their name'),
  decide: negatedFlag('--no-decide', 'do not decide which survivors are equivalent, and look for no journeys'),
  pairs: integer('--pairs <number>', 'pairs of situations that one decision may walk; default: 5000', {
    min: 1,
    max: 10_000_000,
  }),
  budget: integer('--budget <seconds>', 'end after so long; what was found is kept and marked as incomplete', {
    min: 1,
    max: 86_400,
  }),
  threshold: integer('--threshold <percent>', 'end with 0 when this much of the killable is killed; default: 100', {
    min: 0,
    max: 100,
  }),
  write: text('--write <folder>', 'write a scenario file for each journey that kills a survivor'),
} as const;

/** What the command is given. */
export type MutateArguments = ArgumentsOf<typeof mutateOptions>;
