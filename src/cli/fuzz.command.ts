import { defineCommand } from './command.ts';
import { fuzzOptions } from './fuzz/fuzz-options.ts';

/** `nudgelab fuzz`: runs random walks on a driver and compares them with the model. */
export const fuzzCommand = defineCommand({
  name: 'fuzz',
  group: 'Test',
  summary: 'run random journeys on a driver and compare them with the model',
  description:
    'Generates random journeys of one user from a random seed, runs each on the driver and on the model, and compares ' +
    'page, verdict, snooze count and status after each step. The first difference is shortened, saved as a scenario, ' +
    'and printed with the command that repeats it. Exit codes: 0 no difference, 1 a difference, 2 the driver stopped.',
  operands: null,
  options: fuzzOptions,
  examples: [
    { line: 'fuzz', meaning: 'walk the mock server over HTTP, started for the purpose' },
    { line: 'fuzz --driver browser --runs 20', meaning: 'walk its pages in a browser' },
    { line: 'fuzz --url http://localhost:4700 --seed 7', meaning: 'walk a server that runs, by another seed' },
    { line: 'fuzz --seed 7 --path 12', meaning: 'repeat the walk that a failure named' },
  ],
  run: async (args, context) => (await import('./fuzz/fuzz.ts')).fuzzDriver(args, context),
});
