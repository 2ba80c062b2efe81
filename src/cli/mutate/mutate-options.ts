import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, text, timeLimitOption } from '../option.ts';

/** Options of `nudgelab mutate`. */
export const mutateOptions = {
  generated: flag('--generated', 'measure the generated suite: journeys and rule combinations'),
  machine: text('--machine <name>', 'measure the generated tests of one machine, or of your own module'),
  ruleset: text(
    '--ruleset <ruleset>',
    'measure the scenarios of a ruleset file, or of its id, with mutants of its data',
  ),
  rule: list('--rule <ids>', 'only mutants of these rules and assumptions'),
  operator: list('--operator <names>', 'only mutants of these operators, such as guard-negated'),
  filter: text('--filter <text>', 'only mutants with this text in their name'),
  skipEquivalence: flag('--skip-equivalence', 'do not classify survivors or search for journeys that kill them'),
  maxStatePairs: integer('--max-state-pairs <number>', 'maximum number of state pairs to explore for one mutant', {
    min: 1,
    max: 10_000_000,
    default: 5_000,
  }),
  timeLimit: timeLimitOption('results so far are kept and marked as incomplete'),
  threshold: integer('--threshold <percent>', 'minimum mutation score', { min: 0, max: 100, default: 100 }),
  out: text('--out <folder>', 'write a scenario for each journey that kills a survivor'),
} as const;

/** Arguments of `nudgelab mutate`. */
export type MutateArguments = ArgumentsOf<typeof mutateOptions>;
