import { defineCommand } from './command.ts';
import { fuzzOptions } from './fuzz/fuzz-options.ts';

/** `nudgelab fuzz`: random walks on a driver, held against the model. */
export const fuzzCommand = defineCommand({
  name: 'fuzz',
  summary: 'walk a driver at random and hold it against the model',
  description:
    'Draws journeys of one user by a seed, does each on the driver and on the model, and compares page, verdict, count and ' +
    'status after each step. The first walk that differs is made as short as possible, saved as a scenario, and told with the ' +
    'one command that repeats it. Ends with 0 when all walks agree, 1 when one differs, 2 when the driver died.',
  operands: null,
  options: fuzzOptions,
  examples: [
    { line: 'fuzz', meaning: 'walk the mock server over HTTP, started for the purpose' },
    { line: 'fuzz --driver browser --walks 20', meaning: 'walk its pages in a browser' },
    { line: 'fuzz --url http://localhost:4700 --seed 7', meaning: 'walk a server that runs, by another seed' },
    { line: 'fuzz --seed 7 --path 12', meaning: 'repeat the walk that a failure named' },
  ],
  run: async (args, context) => (await import('./fuzz/fuzz.ts')).fuzzDriver(args, context),
});
