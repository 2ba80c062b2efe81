import type { CommandContext, ExitCode } from './context.ts';
import { print } from './print.ts';

/**
 * Runs a command that exports traces and metrics if variables of OpenTelemetry ask for it. Without any, nothing is
 * loaded. Returns the exit code. Throws the errors of the command, `usage-invalid` for an unsupported value of a
 * variable, and `package-missing`.
 */
export async function withTelemetry(context: CommandContext, run: () => Promise<ExitCode>): Promise<ExitCode> {
  if (!Object.keys(context.env).some((name) => name.startsWith('OTEL_'))) return run();
  const [{ openTelemetry }, { packageVersion }, { readFileSync }] = await Promise.all([
    import('../telemetry/open-telemetry.ts'),
    import('../scenario/shipped.ts'),
    import('node:fs'),
  ]);
  const isPem = (path: string): boolean => {
    try {
      return readFileSync(path, 'utf8').includes('-----BEGIN ');
    } catch {
      return false;
    }
  };
  const warn = (message: string): void => void print(context.stderr, message, (visible) => [visible]);
  const telemetry = await openTelemetry(context.env, { version: packageVersion(), warn, isPem });
  try {
    return await run();
  } finally {
    await telemetry?.close();
  }
}
