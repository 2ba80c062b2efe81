import { spawn } from 'node:child_process';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { controlKeyVariable } from '../control-key.ts';
import { print } from '../print.ts';
import { withServer } from '../serve/serve.ts';
import type { ServeArguments } from '../serve/serve-options.ts';

/**
 * Runs a command with a mock server, which stops when the command ends. Returns 0 if the command exits with 0,
 * otherwise 1. Throws `usage-invalid` if the command cannot be started, and any error of `serve`.
 */
export async function exec(args: ServeArguments, context: CommandContext): Promise<ExitCode> {
  return withServer(
    { ...args, port: args.port ?? 0 },
    context,
    async (server, { sandboxes, certificate, controlKey }) => {
      const issuer = await sandboxes.within(defaultSandboxId, ({ tokens }) => tokens.issuer);
      const ended = await runToItsEnd(args.operands, context, {
        NUDGELAB_BASE_URL: server.baseUrl,
        NUDGELAB_CONTROL_URL: server.controlUrl,
        NUDGELAB_SANDBOX: defaultSandboxId,
        NUDGELAB_ISSUER: issuer,
        ...(controlKey === undefined ? {} : { [controlKeyVariable]: controlKey }),
        ...(certificate === null ? {} : { NODE_EXTRA_CA_CERTS: certificate.authorityPath }),
      });
      if (ended !== 'code 0') print(context.stderr, ended, (how) => [`The command ended with ${how}.`]);
      return ended === 'code 0' ? 0 : 1;
    },
  );
}

/**
 * Runs a command on this program's terminal. An interrupt reaches both processes. The command ends before the
 * server.
 */
function runToItsEnd(
  [command = '', ...rest]: readonly string[],
  { cwd, env, onStop }: CommandContext,
  added: Readonly<Record<string, string>>,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(command, rest, { cwd, env: { ...env, ...added }, stdio: 'inherit' });
  const end = onStop(() => child.kill('SIGTERM'));
  child.once('error', (cause) => {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'no program with this name was found; check the name and PATH' : cause.message;
    reject(new NudgeLabError('usage-invalid', { message: `${command} cannot be run: ${reason}.`, cause }));
  });
  child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  return promise.finally(end);
}
