import { defineCommand } from './command.ts';
import { initOptions } from './init/init-options.ts';

/** `nudgelab init`: creates a first suite. */
export const initCommand = defineCommand({
  name: 'init',
  description:
    'Writes a passing scenario, fixtures for a tenant and a user, and nudgelab.config.ts, and prints how to run them. ' +
    'Existing files are kept unless --force is given.',
  operands: { description: 'target folder (default: the current folder)' },
  options: initOptions,
  examples: [
    { line: 'init', meaning: 'create the suite in the current folder' },
    { line: 'init tests/campaign', meaning: 'create the suite in another folder' },
  ],
  run: async (args, context) => (await import('./init/write-suite.ts')).writeSuite(args, context),
});
