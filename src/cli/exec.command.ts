import { defineCommand } from './command.ts';
import { integer } from './option.ts';
import { serveOptions } from './serve/serve-options.ts';

/** `nudgelab exec`: runs a command beside a mock server. */
export const execCommand = defineCommand({
  name: 'exec',
  summary: 'run a command beside a mock server',
  description:
    'Starts a mock server as `serve` does, on any free port, runs the command that follows --, and ends the server with it. The ' +
    'command finds the server by NUDGELAB_BASE_URL, NUDGELAB_CONTROL_URL, NUDGELAB_SANDBOX and NUDGELAB_ISSUER, with --https ' +
    'trusts it by NODE_EXTRA_CA_CERTS, and with an access key has that in NUDGELAB_CONTROL_KEY. It ends with 0 when the command did, else with 1.',
  operands: { syntax: '<command...>', description: 'what to run, after --' },
  options: {
    ...serveOptions,
    port: integer('--port <number>', 'port to listen on; default: any free one', { min: 0, max: 65_535 }),
  },
  examples: [
    { line: 'exec -- npx playwright test', meaning: 'run the tests of your own application against it' },
    { line: 'exec --tenant passkey-enabled -- npm test', meaning: 'begin with another tenant' },
  ],
  run: async (args, context) => (await import('./exec/exec.ts')).exec(args, context),
});
