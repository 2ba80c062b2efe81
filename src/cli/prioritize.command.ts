import { defineCommand } from './command.ts';
import { prioritizeOptions } from './reduce/reduce-options.ts';

/** `nudgelab prioritize`: orders a suite by the faults that it detects per time. */
export const prioritizeCommand = defineCommand({
  name: 'prioritize',
  description:
    'Runs a suite on all mutants of the model, and orders the scenarios so that faults are detected as early as ' +
    'possible: next is always the scenario with the most mutants per time that no earlier one kills. The time is that ' +
    'of an earlier run (--times), or the number of steps. Scenarios that mutants cannot measure come last. Exit ' +
    'codes: 0 the suite was measured, 1 the time limit was reached or a scenario fails on the model.',
  operands: {
    description: 'files and folders of scenarios (default: those of the configuration)',
  },
  options: prioritizeOptions,
  examples: [
    { line: 'prioritize', meaning: 'order the scenarios of the folder scenarios' },
    {
      line: 'prioritize --times report/report.json --out order.txt',
      meaning: 'use the durations of a run, and write the order for run --list',
    },
  ],
  run: async (args, context) => (await import('./reduce/prioritize.ts')).prioritize(args, context),
});
