import { defineCommand } from './command.ts';
import { initOptions } from './init/init-options.ts';

/** `nudgelab init`: writes a first suite. */
export const initCommand = defineCommand({
  name: 'init',
  summary: 'write a first suite into a repository of your own',
  description:
    'Writes a scenario that passes, a tenant and a user as fixtures, and nudgelab.config.ts, and says how to run them. It ' +
    'overwrites nothing unless it is told to.',
  operands: { syntax: '[folder]', description: 'where to write; default: the current folder' },
  options: initOptions,
  examples: [
    { line: 'init', meaning: 'write the suite into the current folder' },
    { line: 'init tests/campaign', meaning: 'write it into a folder of its own' },
  ],
  run: async (args, context) => (await import('./init/write-suite.ts')).writeSuite(args, context),
});
