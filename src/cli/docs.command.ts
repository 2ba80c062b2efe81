import { defineCommand } from './command.ts';
import { docsOptions } from './docs/docs-options.ts';

/** `nudgelab docs`: serves the documentation site. */
export const docsCommand = defineCommand({
  name: 'docs',
  description:
    'Serves the built documentation site, with search, on the loopback address, and prints its address. No request ' +
    'leaves the machine. With --json it prints one line when it listens: {"baseUrl","folder","pid"}. It runs until it ' +
    'is interrupted or terminated. The package does not contain the site: build it in a checkout with npm run site. ' +
    'Exit codes: 0 stopped, 2 no built site, or the port is in use.',
  operands: null,
  options: docsOptions,
  examples: [
    { line: 'docs', meaning: 'serve the site of this checkout on port 4780' },
    { line: 'docs --port 0 --json', meaning: 'use any free port and print it as JSON, for scripts' },
  ],
  run: async (args, context) => (await import('./docs/serve-docs.ts')).serveDocs(args, context),
});
