import { onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

/** Starts a server with the default sandbox for one test and returns its URL. */
export async function servedAt(...options: readonly string[]): Promise<string> {
  const context = testContext({ cwd: suiteFolder({}) });
  const ended = runProgram(['serve', '--port', '0', '--json', '--users', 'sms-user', ...options], context);
  onTestFinished(async () => {
    context.stop();
    await ended;
  });
  await context.stdout.until((text) => text.includes('\n'));
  return (JSON.parse(context.stdout.text) as { baseUrl: string }).baseUrl;
}
