import { defineCommand } from './command.ts';
import { initOptions } from './init/init-options.ts';

/** `nudgelab init`: creates a first suite. */
export const initCommand = defineCommand({
  name: 'init',
  group: 'Test',
  summary: 'create a first suite in your repository',
  description:
    'Writes a passing scenario, fixtures for a tenant and a user, and nudgelab.config.ts, and prints how to run them. ' +
    'Existing files are kept unless --force is given.',
  operands: { syntax: '[folder]', description: 'where to write; default: the current folder' },
  options: initOptions,
  examples: [
    { line: 'init', meaning: 'write the suite into the current folder' },
    { line: 'init tests/campaign', meaning: 'write it into a folder of its own' },
  ],
  run: async (args, context) => (await import('./init/write-suite.ts')).writeSuite(args, context),
});
