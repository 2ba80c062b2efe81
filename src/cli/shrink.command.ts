import { defineCommand } from './command.ts';
import { shrinkOptions } from './shrink/shrink-options.ts';

/** `nudgelab shrink`: finds the shortest journey that still fails. */
export const shrinkCommand = defineCommand({
  name: 'shrink',
  description:
    'Shrinks a failing scenario to one that fails in the same way. If it fails on the model, every ' +
    'reachable state is tried, so the result is the shortest; if another driver differs from the model, ' +
    'steps are removed as long as it still differs. The result is saved as a scenario. Exit codes: 0 done, ' +
    '1 nothing fails.',
  operands: { description: 'a scenario file; file.yaml#3 is the third examples row' },
  options: shrinkOptions,
  examples: [
    { line: 'shrink failing.yaml', meaning: 'shrink a scenario that fails on the model' },
    { line: 'shrink failing.yaml --driver http', meaning: 'shrink a difference between the mock server and the model' },
    {
      line: 'shrink failing.yaml#2 --out short.yaml',
      meaning: 'shrink the second examples row and write the result to a file',
    },
  ],
  run: async (args, context) => (await import('./shrink/shrink.ts')).shrink(args, context),
});
