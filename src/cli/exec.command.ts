import { defineCommand } from './command.ts';
import { integer } from './option.ts';
import { serveOptions } from './serve/serve-options.ts';
import { withTelemetry } from './with-telemetry.ts';

/** `nudgelab exec`: runs a command with a mock server. */
export const execCommand = defineCommand({
  name: 'exec',
  description:
    'Starts a mock server like `serve` on a free port, runs the command after --, and stops the server ' +
    'afterwards. The command gets NUDGELAB_BASE_URL, NUDGELAB_CONTROL_URL, NUDGELAB_SANDBOX and ' +
    'NUDGELAB_ISSUER, NODE_EXTRA_CA_CERTS with --https, and NUDGELAB_CONTROL_KEY if a control key is set. ' +
    'Exit codes: 0 the command succeeded, 1 it failed.',
  operands: { description: 'command to run, after --' },
  options: {
    ...serveOptions,
    port: integer('--port <number>', 'port to listen on', {
      min: 0,
      max: 65_535,
      default: 0,
      whenOmitted: 'any free port',
    }),
  },
  examples: [
    { line: 'exec -- npx playwright test', meaning: 'run the tests of your application against the mock server' },
    { line: 'exec --tenant passkey-enabled -- npm test', meaning: 'start with another tenant' },
  ],
  run: (args, context) => withTelemetry(context, async () => (await import('./exec/exec.ts')).exec(args, context)),
});
