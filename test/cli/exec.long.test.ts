import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from './command-context.ts';

/** Creates a temporary folder and a script that writes its environment to a file in it. */
function workplace(): { readonly cwd: string; readonly found: () => Record<string, unknown>; readonly script: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-exec-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const script = `
    const { NUDGELAB_BASE_URL, NUDGELAB_CONTROL_URL, NUDGELAB_SANDBOX, NUDGELAB_ISSUER, NODE_EXTRA_CA_CERTS } = process.env;
    const health = await (await fetch(NUDGELAB_CONTROL_URL + '/health')).json();
    const { issuer } = await (await fetch(NUDGELAB_ISSUER + '/.well-known/openid-configuration')).json();
    const { writeFileSync } = await import('node:fs');
    const environment = { NUDGELAB_BASE_URL, NUDGELAB_CONTROL_URL, NUDGELAB_SANDBOX, NUDGELAB_ISSUER, NODE_EXTRA_CA_CERTS };
    writeFileSync('found.json', JSON.stringify({ ...environment, health, issuer, argv: process.argv.slice(1) }));`;
  return { cwd, script, found: () => JSON.parse(readFileSync(join(cwd, 'found.json'), 'utf8')) };
}

const node = (script: string, ...argv: string[]): readonly string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '--eval',
  script,
  '--',
  ...argv,
];

describe('exec', () => {
  it('runs the command with a server that it can find, and exits with 0', async () => {
    const { cwd, script, found } = workplace();
    const { code } = await runHere(['exec', ...node(script, '--json', '--port')], { cwd });
    expect(code).toBe(0);
    const { NUDGELAB_BASE_URL, issuer, NUDGELAB_ISSUER, health, argv, NUDGELAB_SANDBOX } = found();
    expect(health).toEqual({ status: 'ok', sandboxes: 1 });
    expect(issuer).toBe(NUDGELAB_ISSUER);
    expect(NUDGELAB_SANDBOX).toBe('default');
    // Arguments after the command belong to that command, even if they look like options of this program.
    expect(argv).toEqual(['--json', '--port']);
    await expect(fetch(String(NUDGELAB_BASE_URL))).rejects.toThrow('fetch failed');
  });

  it('a command that trusts the test authority reaches the server by HTTPS', async () => {
    const { cwd, script, found } = workplace();
    const { code } = await runHere(['exec', '--https', ...node(script)], { cwd });
    expect(code).toBe(0);
    expect(found()['NUDGELAB_BASE_URL']).toMatch(/^https:/);
  });

  it('a failed command makes exec exit with 1 and print the exit code of the command', async () => {
    const { code, stderr } = await runHere(['exec', ...node('process.exit(7)')]);
    expect([code, stderr]).toEqual([1, 'The command ended with code 7.\n']);
  });

  it.each([
    [['exec'], 'argument "command"'],
    [['exec', '--', './nowhere-at-all'], 'nowhere-at-all'],
  ])('usage-invalid: the command %j exits with 2 and names the faulty argument', async (argv, named) => {
    const { code, stderr } = await runHere(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
  });

  it('an interrupt ends the command and the server', async () => {
    const program = spawn(process.execPath, [
      'src/cli/main.ts',
      'exec',
      ...node('console.log("up"); setInterval(() => {}, 1e6)'),
    ]);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    program.stdout.once('data', () => program.kill('SIGTERM'));
    program.once('exit', resolve);
    expect(await promise).toBe(1);
  });
});
