import { defineCommand } from './command.ts';
import { generateOptions } from './generate/generate-options.ts';

/** `nudgelab generate`: writes the smallest suite that meets a coverage criterion. */
export const generateCommand = defineCommand({
  name: 'generate',
  description:
    'Generates tests from the state machines: the lifecycle of a user (nudge, the default), whole journeys ' +
    'through pages, tabs and days (journeys), one of the other machines, combinations of values with ' +
    '--strength, or your own machine from a module that exports `machine` and `events`. Prints the number ' +
    'of tests, the proven lower bound and the gap, and writes the tests to a folder, with one subfolder per ' +
    'format if there are several. Generated files are replaced; if other or modified files exist, they are ' +
    'kept and the command fails. With --time-limit it stops in time with a partial result. Exit codes: 0 ' +
    'done, 1 partial result, 2 invalid input or an existing file.',
  operands: {
    description:
      'nudge, journeys, sign-in, campaign, passkey-eligibility, document, or a module path; with --strength only a module path',
  },
  options: generateOptions,
  examples: [
    {
      line: 'generate --out scenarios/generated',
      meaning: 'generate scenarios that take every transition of the lifecycle',
    },
    {
      line: 'generate --coverage pairs --format playwright --out e2e',
      meaning: 'generate Playwright specs for all transition pairs',
    },
    {
      line: 'generate --coverage reasons --format vitest,gherkin --out tests',
      meaning: 'cover every reason code with Vitest specs and Gherkin features',
    },
    {
      line: 'generate --strength 2 --mode optimal --format csv --out arrays',
      meaning: 'cover all pairs of sign-in values, as CSV',
    },
    { line: 'generate --random-steps 1000 --seed 7 --out walks', meaning: 'generate a random walk of 1000 steps' },
    { line: 'generate ./basket.machine.ts --format vitest --out tests', meaning: 'generate tests of your own machine' },
  ],
  run: async (args, context) => (await import('./generate/generate.ts')).generate(args, context),
});
