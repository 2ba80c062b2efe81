import { defineCommand } from './command.ts';
import { generateOptions } from './generate/generate-options.ts';

/** `nudgelab generate`: the smallest suite that covers what is asked for, written out. */
export const generateCommand = defineCommand({
  name: 'generate',
  summary: 'write the smallest suite that covers what you ask for',
  description:
    'Makes tests from the machines: of a user’s lifecycle (nudge, which is meant without a name), of whole journeys through pages, ' +
    'tabs, minutes and days (journeys), of one of the other machines, ' +
    'of combinations of values with --combine, or ' +
    'of a machine of your own by the path of a module that exports `machine` and `events`. Prints how many ' +
    'tests there are, the proven lower bound and the gap, and writes them into a folder, one below it for each format where there are several. What it wrote before it writes anew; ' +
    'a file that is not its own, or was changed since, is left alone, and the command ends with 2. With --budget it ends in ' +
    'time with what it has, says that it is not all, and ends with 1.',
  operands: {
    syntax: '[model]',
    description:
      'nudge, journeys, sign-in, campaign, passkey-eligibility, document, or the path of a module; with --combine the latter alone',
  },
  options: generateOptions,
  examples: [
    { line: 'generate --out scenarios/generated', meaning: 'scenarios that take every transition of the lifecycle' },
    {
      line: 'generate --cover pairs --format playwright --out e2e',
      meaning: 'Playwright specs for pairs of transitions',
    },
    {
      line: 'generate --cover reasons --format vitest,gherkin --out tests',
      meaning: 'every reason, as specs and features',
    },
    {
      line: 'generate --combine 2 --mode optimal --format csv --out arrays',
      meaning: 'all pairs of values of sign-ins, as CSV',
    },
    { line: 'generate --walks 1000 --seed 7 --out walks', meaning: 'a random walk of 1000 steps' },
    { line: 'generate ./basket.machine.ts --format vitest --out tests', meaning: 'tests of a machine of your own' },
  ],
  run: async (args, context) => (await import('./generate/generate.ts')).generate(args, context),
});
