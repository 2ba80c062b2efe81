import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { setTestServer } from '../test-server.ts';
import { testContext } from './command-context.ts';
import { passing, suiteFolder } from './suite-folder.ts';

const server = setTestServer({ default: {} });

it('an interrupted run finishes the scenarios in progress, and leaves no sandbox on the server', async () => {
  const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
  const context = testContext({ cwd, isTty: true });
  const argv = ['run', '--url', server.baseUrl, '--repeat-each', '500', '--report', 'reports'];
  const ended = runProgram(argv, context);
  await context.stderr.until((text) => text.includes('/500 http'));
  context.stop();
  expect(await ended).toBe(1);
  expect(context.stderr.text).toContain(
    'Stopping after the scenarios in progress. Press Ctrl+C again to stop at once.',
  );
  const [, passed] =
    /Interrupted\. Of the scenarios that ended, (\d+) passed and 0 failed\./.exec(context.stderr.text) ?? [];
  expect(Number(passed)).toBeGreaterThan(0);
  expect(Number(passed)).toBeLessThan(500);
  expect(context.stdout.text).toBe('');
  const sandboxes = await (await fetch(`${server.controlUrl}/sandboxes`)).json();
  expect(sandboxes).toMatchObject({ sandboxes: [{ id: 'default' }] });
  expect(existsSync(join(cwd, 'reports'))).toBe(false);
});

it('a key that ends watch mode also ends the run in progress', async () => {
  const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
  const context = testContext({ cwd, isTty: true });
  const ended = runProgram(['run', '--url', server.baseUrl, '--repeat-each', '500', '--watch'], context);
  await context.stderr.until((text) => text.includes('/500 http'));
  context.press('\u0003');
  expect(await ended).toBe(1);
  expect(context.stderr.text).toContain('Stopping after the scenarios in progress.\n');
  expect(context.stderr.text).toContain('Interrupted. Of the scenarios that ended, ');
});
