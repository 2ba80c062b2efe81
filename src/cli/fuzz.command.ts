import { defineCommand } from './command.ts';
import { fuzzOptions } from './fuzz/fuzz-options.ts';

/** `nudgelab fuzz`: runs random walks on a driver and compares them with the model. */
export const fuzzCommand = defineCommand({
  name: 'fuzz',
  description:
    'Generates random journeys of one user from a random seed, runs each on the driver and on the model, ' +
    'and compares page, verdict, snooze count and status after each step. The first difference is shrunk, ' +
    'saved as a scenario, and printed with the command that repeats it. Exit codes: 0 no difference, 1 a ' +
    'difference, 2 the driver stopped.',
  operands: null,
  options: fuzzOptions,
  examples: [
    { line: 'fuzz', meaning: 'fuzz an embedded mock server over HTTP' },
    { line: 'fuzz --driver browser --runs 20', meaning: 'fuzz the sign-in pages in a browser' },
    { line: 'fuzz --url http://localhost:4700 --seed 7', meaning: 'fuzz a running server with another random seed' },
    { line: 'fuzz --seed 7 --path 12', meaning: 'repeat the random walk of a failure' },
  ],
  run: async (args, context) => (await import('./fuzz/fuzz.ts')).fuzzDriver(args, context),
});
