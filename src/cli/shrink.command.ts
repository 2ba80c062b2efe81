import { defineCommand } from './command.ts';
import { shrinkOptions } from './shrink/shrink-options.ts';

/** `nudgelab shrink`: the shortest journey that still fails. */
export const shrinkCommand = defineCommand({
  name: 'shrink',
  summary: 'make a failing scenario as short as possible',
  description:
    'Takes a scenario that fails and finds a shorter one that fails in the same way. Where it fails on the model, every ' +
    'situation that its steps can lead to is tried, so that the result is the shortest; where another driver differs from the ' +
    'model, steps are left out as long as it still differs. The result is saved as a scenario. Ends with 0 when it was made, ' +
    'with 1 when nothing fails.',
  operands: { syntax: '<file>', description: 'a scenario file; file.yaml#3 is the third row of its examples' },
  options: shrinkOptions,
  examples: [
    { line: 'shrink failing.yaml', meaning: 'shrink what fails on the model' },
    { line: 'shrink failing.yaml --driver http', meaning: 'shrink what the mock server does otherwise than the model' },
    { line: 'shrink failing.yaml#2 --write short.yaml', meaning: 'shrink the second row into a file' },
  ],
  run: async (args, context) => (await import('./shrink/shrink.ts')).shrink(args, context),
});
