import { defineCommand } from './command.ts';
import { serveOptions } from './serve/serve-options.ts';
import { withTelemetry } from './with-telemetry.ts';

/** `nudgelab serve`: starts the mock server. */
export const serveCommand = defineCommand({
  name: 'serve',
  description:
    'Starts the mock server with one sandbox and prints its URLs and the users to sign in with. With --json ' +
    'it prints one line when it is listening: {"baseUrl","controlUrl","sandbox","pid"}, and ' +
    '"certificateAuthority" with --https. It runs until it is interrupted or terminated. Exit code: 0.',
  operands: null,
  options: serveOptions,
  examples: [
    { line: 'serve', meaning: 'listen on port 4700 and print the users to sign in with' },
    { line: 'serve --port 0 --json', meaning: 'use any free port and print it as JSON, for scripts' },
    { line: 'serve --https', meaning: 'serve https://localhost and print the test authority to trust' },
    { line: 'serve --db nudgelab.sqlite', meaning: 'store the sandboxes in a file' },
    { line: 'serve --tenant passkey-enabled --users sms-user,guest', meaning: 'start with selected fixtures' },
    { line: 'serve --clock 2026-01-05T09:00:00Z --frozen', meaning: 'start at a given time with a frozen clock' },
  ],
  run: (args, context) => withTelemetry(context, async () => (await import('./serve/serve.ts')).serve(args, context)),
});
