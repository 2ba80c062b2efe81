import { defineCommand } from './command.ts';
import { mutateOptions } from './mutate/mutate-options.ts';

/** `nudgelab mutate`: measures how many mutants a suite kills. */
export const mutateCommand = defineCommand({
  name: 'mutate',
  description:
    'Creates mutants of the model, each with one fault in a rule, ruleset, limit or machine, and runs a suite on ' +
    'each: your scenarios, or with --generated the generated ones. A mutant is killed if a page, verdict, count or ' +
    'status differs from what a scenario expects. For each survivor it decides whether any journey distinguishes it ' +
    'from the model: if none does, it is equivalent; otherwise the shortest such journey is printed. Exit codes: 0 ' +
    'enough of the killable mutants are killed, 1 too few.',
  operands: {
    description: 'files and folders of scenarios (default: those of the configuration)',
  },
  options: mutateOptions,
  examples: [
    { line: 'mutate', meaning: 'measure all scenarios of the folder scenarios' },
    { line: 'mutate scenarios/snooze --rule R5,R6', meaning: 'measure one folder with the mutants of two rules' },
    { line: 'mutate --generated', meaning: 'measure the generated suite' },
    { line: 'mutate --machine document', meaning: 'measure the generated tests of one machine' },
    {
      line: 'mutate --skip-equivalence --json',
      meaning: 'print which mutants are killed, without classifying survivors',
    },
    {
      line: 'mutate --time-limit 60 --out more',
      meaning: 'stop after a minute, and write a scenario for each survivor',
    },
  ],
  run: async (args, context) => (await import('./mutate/mutate.ts')).mutate(args, context),
});
