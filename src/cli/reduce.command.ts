import { defineCommand } from './command.ts';
import { reduceOptions } from './reduce/reduce-options.ts';

/** `nudgelab reduce`: finds the fewest scenarios that keep the coverage and the mutation score of a suite. */
export const reduceCommand = defineCommand({
  name: 'reduce',
  description:
    'Runs a suite on the model and on all mutants of the model, and finds the fewest scenarios, or with --by steps ' +
    'those with the fewest steps, that cover the same rules, outcomes and transitions and kill the same mutants. The ' +
    'result is proven minimal, or the proven minimum is printed beside it. Scenarios of other APIs and rulesets of ' +
    'your own are kept. Nothing is deleted. Exit codes: 0 the suite was measured, 1 the time limit was reached or a ' +
    'scenario fails on the model.',
  operands: {
    description: 'files and folders of scenarios (default: those of the configuration)',
  },
  options: reduceOptions,
  examples: [
    { line: 'reduce', meaning: 'list the scenarios of the folder scenarios that are not needed' },
    { line: 'reduce scenarios/snooze --by steps', meaning: 'minimize the steps of one folder' },
    { line: 'reduce --out needed.txt', meaning: 'write the ids of the needed scenarios for run --list' },
  ],
  run: async (args, context) => (await import('./reduce/reduce.ts')).reduce(args, context),
});
