import { defineCommand } from './command.ts';
import { serveOptions } from './serve/serve-options.ts';

/** `nudgelab serve`: starts the mock server. */
export const serveCommand = defineCommand({
  name: 'serve',
  group: 'Serve',
  summary: 'start the mock server',
  description:
    'Starts the mock server with one sandbox and prints its addresses and the users to sign in with. With --json it ' +
    'prints one line when it listens: {"baseUrl","controlUrl","sandbox","pid"}, and "certificateAuthority" with ' +
    '--https. It runs until it is interrupted or terminated. Exit code: 0.',
  operands: null,
  options: serveOptions,
  examples: [
    { line: 'serve', meaning: 'listen on port 4700 and print who can sign in' },
    { line: 'serve --port 0 --json', meaning: 'take any free port and print it as JSON, for scripts' },
    { line: 'serve --https', meaning: 'answer by https://localhost, and print which test authority to trust' },
    { line: 'serve --db nudgelab.sqlite', meaning: 'keep everything that happens in a file' },
    { line: 'serve --tenant passkey-enabled --users sms-user,guest', meaning: 'begin with fixtures of your choice' },
    { line: 'serve --clock 2026-01-05T09:00:00Z --frozen', meaning: 'begin at a time of your choice and let it stand' },
  ],
  run: async (args, context) => (await import('./serve/serve.ts')).serve(args, context),
});
