import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands.ts';
import { createParser, listOptions } from '../../src/cli/program.ts';
import { isSupportedNode, oldestNode } from '../../src/core/oldest-node.ts';
import { packageVersion } from '../../src/scenario/shipped.ts';
import { nonEmpty } from '../non-empty.ts';
import { parseOutput, runHere, testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const all = await allCommands();

describe('program', () => {
  it.each(nonEmpty(all.map(({ name }) => name)))('the help of %s matches its golden file', async (name) => {
    const { code, stdout } = await runHere([name, '--help']);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`../golden/help/${name}.txt`);
  });

  it('the program help lists every command', async () => {
    const { code, stdout } = await runHere(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of nonEmpty(all)) expect(stdout).toMatch(new RegExp(`\\b${name} .*${summary}`));
    await expect(stdout).toMatchFileSnapshot('../golden/help/nudgelab.txt');
  });

  it.each(nonEmpty(all))('$name has examples that its own parser accepts', (command) => {
    const lines = command.examples.map(({ line }) => line.replace(/ > .*/, '').split(' '));
    expect(lines.length).toBeGreaterThan(1);
    for (const [name, ...argv] of lines) {
      const of = all.find((one) => one.name === name);
      expect(() => of !== undefined && createParser(of, testContext()).parse(argv, { from: 'user' })).not.toThrow();
      expect(of).toBeDefined();
    }
  });

  it.each(nonEmpty(all))('$name receives its options under the names that the parser uses', (command) => {
    const names = createParser(command, testContext()).options.map((option) => option.attributeName());
    expect(names).toEqual(Object.keys(listOptions(command)));
  });

  it('usage-invalid: a call without a command prints the help as an error', async () => {
    const { code, stdout, stderr } = await runHere([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: nudgelab');
  });

  it.each([
    [['rnu']],
    [['help', 'rnu']],
    [['run', '--prt', '1']],
    [['run', '--repeat-each', '0']],
    [['run', '--shard', '5/4']],
    [['run', '--repeat-each']],
    [['serve', 'extra']],
    [['serve', '--port', '65536']],
    [['serve', '--clock', 'soon']],
    [['explain']],
    [['explain', '--os', 'beos']],
    [['schema', 'unknown']],
  ])('usage-invalid: the arguments %j lead to exit code 2', async (argv) => {
    const { code, stdout, stderr } = await runHere(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error usage-invalid: /);
  });

  it('usage-invalid: with --json, the error is one object on standard output', async () => {
    const ended = await runHere(['run', '--json', '--driver', 'bus'], { cwd: process.cwd() });
    expect(ended.code).toBe(2);
    expect(parseOutput(ended)).toEqual({
      error: { code: 'driver-not-found', message: expect.any(String), problems: [], action: expect.any(String) },
    });
  });

  it('file-unreadable: a path that does not exist exits with 2', async () => {
    const { code, stderr } = await runHere(['run', 'nowhere'], { cwd: suiteFolder({}) });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error file-unreadable: .*nowhere/);
  });

  it('internal-error: an unexpected error exits with 3 and shows its stack trace only on request', async () => {
    const broken = {
      get cwd(): string {
        throw new TypeError('no folder');
      },
    };
    const context = Object.defineProperties(testContext(), Object.getOwnPropertyDescriptors(broken));
    const { runProgram } = await import('../../src/cli/program.ts');
    expect(await runProgram(['lint'], context)).toBe(3);
    expect(context.stderr.text).toMatch(/^error internal-error: no folder/);
    expect(context.stderr.text).not.toMatch(/^ +at /m);
    expect(await runProgram(['lint', '--verbose'], context)).toBe(3);
    expect(context.stderr.text).toMatch(/TypeError: no folder\n +at /);
  });

  it('runtime-too-old: the oldest supported Node version matches the package', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(engines.node).toBe(`>=${oldestNode}`);
    const versions = ['18.20.8', '20.19.5', '22.17.1', '22.18.0', '22.23.3', '24.0.0', '26.10.0'];
    expect(versions.filter(isSupportedNode)).toEqual(['22.18.0', '22.23.3', '24.0.0', '26.10.0']);
  });

  it('the version matches the package', async () => {
    const { code, stdout } = await runHere(['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageVersion()}\n` });
  });

  it('colors are used only on terminals and are disabled by NO_COLOR or --no-color', async () => {
    const color = '\u001b[';
    const argv = ['explain', '--user', 'sms-user'];
    expect((await runHere(argv, { isTty: true })).stdout).toContain(color);
    expect((await runHere(argv)).stdout).not.toContain(color);
    expect((await runHere(argv, { isTty: true, env: { NO_COLOR: '1' } })).stdout).not.toContain(color);
    expect((await runHere([...argv, '--no-color'], { isTty: true })).stdout).not.toContain(color);
  });
});
