import { defineCommand } from './command.ts';
import { mutateOptions } from './mutate/mutate-options.ts';

/** `nudgelab mutate`: how many faults a suite would catch. */
export const mutateCommand = defineCommand({
  name: 'mutate',
  summary: 'measure how many faults a suite catches',
  description:
    'Makes mutants of the model, each with one fault in a rule, a ruleset, a limit or a machine, and runs a suite on each: ' +
    'scenarios that are written, or with --generated those that generate makes. A ' +
    'mutant is killed when a page, a verdict, a count or a status is not what a scenario expects. Of the others it decides ' +
    'whether anything a user can do tells them from the model: those that nothing does are equivalent, and every other one ' +
    'comes with the shortest journey that kills it. Ends with 0 when enough of the killable mutants are killed, else with 1.',
  operands: {
    syntax: '[paths...]',
    description: 'files and folders of scenarios; default: those of the configuration',
  },
  options: mutateOptions,
  examples: [
    { line: 'mutate', meaning: 'measure every scenario of the folder scenarios' },
    { line: 'mutate scenarios/snooze --rule R5,R6', meaning: 'measure one folder on the faults of two rules' },
    { line: 'mutate --generated', meaning: 'measure the suite that generate makes to show every fault' },
    { line: 'mutate --machine document', meaning: 'measure the generated tests of one machine' },
    { line: 'mutate --no-decide --json', meaning: 'print who was killed, without deciding about the others' },
    { line: 'mutate --budget 60 --write more', meaning: 'stop after a minute, and write a scenario for each survivor' },
  ],
  run: async (args, context) => (await import('./mutate/mutate.ts')).mutate(args, context),
});
