import { defineCommand } from './command.ts';
import { generateOptions } from './generate/generate-options.ts';

/** `nudgelab generate`: writes the smallest suite that meets a coverage criterion. */
export const generateCommand = defineCommand({
  name: 'generate',
  group: 'Generate',
  summary: 'generate the smallest suite that reaches a coverage goal',
  description:
    'Generates tests from the state machines: the lifecycle of a user (nudge, the default), whole journeys through ' +
    'pages, tabs and days (journeys), one of the other machines, combinations of values with --strength, or your own ' +
    'machine from a module that exports `machine` and `events`. Prints the number of tests, the proven lower bound ' +
    'and the gap, and writes the tests to a folder, with one subfolder per format if there are several. Files that it ' +
    'generated are replaced; other or modified files are kept, and the command fails. With --time-limit it stops in time ' +
    'with a partial result. Exit codes: 0 done, 1 partial result, 2 invalid input or a file in the way.',
  operands: {
    syntax: '[model]',
    description:
      'nudge, journeys, sign-in, campaign, passkey-eligibility, document, or the path of a module; with --strength the latter alone',
  },
  options: generateOptions,
  examples: [
    { line: 'generate --out scenarios/generated', meaning: 'scenarios that take every transition of the lifecycle' },
    {
      line: 'generate --coverage pairs --format playwright --out e2e',
      meaning: 'Playwright specs for pairs of transitions',
    },
    {
      line: 'generate --coverage reasons --format vitest,gherkin --out tests',
      meaning: 'every reason, as specs and features',
    },
    {
      line: 'generate --strength 2 --mode optimal --format csv --out arrays',
      meaning: 'all pairs of values of sign-ins, as CSV',
    },
    { line: 'generate --random-steps 1000 --seed 7 --out walks', meaning: 'a random walk of 1000 steps' },
    { line: 'generate ./basket.machine.ts --format vitest --out tests', meaning: 'tests of a machine of your own' },
  ],
  run: async (args, context) => (await import('./generate/generate.ts')).generate(args, context),
});
