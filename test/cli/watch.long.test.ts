import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { testContext } from './command-context.ts';
import { failing, passing, suiteFolder, writeIn } from './suite-folder.ts';

/** Counts the finished runs in the output. */
function runsIn(text: string): number {
  return text.split('Waiting for a change').length - 1;
}

it('run --watch runs again after a change of a scenario or fixture, and q exits with the last exit code', {
  timeout: 30_000,
}, async () => {
  const cwd = suiteFolder({ 'scenarios/a.yaml': failing, 'fixtures/users/own.yaml': 'methods: [sms]\n' });
  const context = testContext({ cwd });
  const ended = runProgram(['run', '--watch'], context);
  await context.stderr.until((text) => runsIn(text) === 1);
  expect(context.stdout.text).toContain('1 of 1 failed');
  writeIn(cwd, 'scenarios/a.yaml', passing);
  await context.stderr.until((text) => runsIn(text) === 2);
  expect(context.stdout.text).toContain('All 1 passed');
  writeIn(cwd, 'scenarios/b.yaml', passing.replace('sms-user', 'own'));
  await context.stderr.until((text) => runsIn(text) === 3);
  expect(context.stdout.text).toContain('All 2 passed');
  writeIn(cwd, 'fixtures/users/own.yaml', 'methods: [fax]\n');
  await context.stderr.until((text) => runsIn(text) === 4);
  expect(context.stderr.text).toContain('scenario-invalid');
  writeIn(cwd, 'fixtures/users/own.yaml', 'methods: [sms]\n');
  await context.stderr.until((text) => runsIn(text) === 5);
  writeIn(cwd, 'fixtures/faults/own.json', '{"kind":"push-denied"}');
  await context.stderr.until((text) => runsIn(text) === 6);
  context.press('x');
  context.press('q');
  expect(await ended).toBe(0);
});

it('run --watch of one file reacts only to changes of that file, and stops on a signal', {
  timeout: 30_000,
}, async () => {
  const cwd = suiteFolder({ 'a.yaml': passing, 'b.yaml': failing });
  const context = testContext({ cwd });
  const ended = runProgram(['run', 'a.yaml', '--watch'], context);
  await context.stderr.until((text) => runsIn(text) === 1);
  writeIn(cwd, 'b.yaml', passing);
  writeIn(cwd, 'a.yaml', failing);
  await context.stderr.until((text) => runsIn(text) === 2);
  expect(context.stdout.text).toContain('1 of 1 failed');
  context.stop();
  expect(await ended).toBe(1);
});

it('run --watch notices every save by an editor that renames a new file over the old one', {
  timeout: 30_000,
}, async () => {
  const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
  const context = testContext({ cwd });
  const ended = runProgram(['run', '--watch'], context);
  await context.stderr.until((text) => runsIn(text) === 1);
  const saved = [passing, failing, passing, failing];
  for (const [index, text] of saved.entries()) {
    writeIn(cwd, 'scenarios/.a.yaml.new', text);
    renameSync(join(cwd, 'scenarios/.a.yaml.new'), join(cwd, 'scenarios/a.yaml'));
    await context.stderr.until((output) => runsIn(output) === index + 2);
  }
  expect(context.stdout.text.match(/All 1 passed|1 of 1 failed/g)).toEqual([
    '1 of 1 failed',
    'All 1 passed',
    '1 of 1 failed',
    'All 1 passed',
    '1 of 1 failed',
  ]);
  context.press('q');
  expect(await ended).toBe(1);
});
