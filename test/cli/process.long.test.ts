import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failing, passing, suiteFolder } from './suite-folder.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

interface Child {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Writes to the standard input, and ends it. */
  readonly stdin: (text: string) => void;
  /** Writes to the standard input, which stays open. */
  readonly write: (text: string) => void;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Closes the reading end of the child's standard output. */
  readonly hangUp: () => void;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<number | null>;
}

/**
 * Starts the program as a child process.
 *
 * @param argv - Command-line arguments.
 * @param options - Options of Node and the working directory.
 */
function start(argv: readonly string[], options: { node?: readonly string[]; cwd?: string } = {}): Child {
  const child = spawn(process.execPath, [...(options.node ?? []), main, ...argv], { cwd: options.cwd, env: {} });
  let stdout = '';
  let stderr = '';
  const first = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number | null>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) first.resolve(stdout.split('\n')[0] ?? '');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A program that exits early leaves its input unread, which causes a write error here.
  child.stdin.on('error', () => undefined);
  child.on('close', (code) => ended.resolve(code));
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    stdin: (text) => child.stdin.end(text),
    write: (text) => void child.stdin.write(text),
    signal: (signal) => child.kill(signal),
    hangUp: () => child.stdout.destroy(),
    firstLine: first.promise,
    ended: ended.promise,
  };
}

describe('program as a child process', { timeout: 60_000 }, () => {
  it('runs a suite on both drivers and exits by itself', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const child = start(['run', '--driver', 'model', '--driver', 'http', '--json'], { cwd });
    expect(await child.ended).toBe(0);
    expect(JSON.parse(child.stdout())).toMatchObject({ summary: { passed: 2 } });
    expect(child.stderr()).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('serve exits with 0 on %s', async (signal) => {
    const child = start(['serve', '--port', '0', '--json']);
    expect(JSON.parse(await child.firstLine)).toMatchObject({ sandbox: 'default', pid: expect.any(Number) });
    child.signal(signal);
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('mcp exits with 0 on %s, also while its input is open', async (signal) => {
    const child = start(['mcp'], { cwd: suiteFolder({ 'scenarios/a.yaml': passing }) });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    expect(JSON.parse(await child.firstLine)).toMatchObject({ id: 1, result: { serverInfo: { name: 'nudgelab' } } });
    child.signal(signal);
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toBe('');
  });

  it.each([
    [0, 'passes', passing, 'model'],
    [1, 'fails', failing, 'model'],
    [2, 'has no driver', passing, 'own'],
  ])('a run ends with %i although a module left a server open: it %s', async (code, _what, scenario, driver) => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': scenario,
      'nudgelab.config.mjs': `import { createServer } from 'node:net';
        createServer().listen(0, '127.0.0.1');
        export default { drivers: { own: () => { throw new Error('no test system'); } } };`,
    });
    const child = start(['run', '--driver', driver], { cwd });
    expect(await child.ended).toBe(code);
    expect(child.stderr().includes('the function that creates the driver failed: no test system')).toBe(code === 2);
  });

  it('a driver that never responds fails by the timeout, and the run continues', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'nudgelab.config.mjs': `const never = () => new Promise(() => undefined);
        const session = { perform: never, verdict: never, nudgeStatus: never, journal: never, close: never };
        const stuck = { name: 'stuck', can: new Set(['signIn']), open: async () => session, close: async () => undefined };
        export default { drivers: { stuck } };`,
    });
    const child = start(['run', '--driver', 'stuck', '--driver', 'model', '--timeout', '50ms', '--json'], { cwd });
    expect(await child.ended).toBe(1);
    expect(JSON.parse(child.stdout())).toMatchObject({ summary: { passed: 1, failed: 1 } });
  });

  it('explain reads piped input', async () => {
    const child = start(['explain', '--facts', '-']);
    child.stdin('{"user": {"id": "ada"}}\n{"user": {"id": "eve"}}');
    expect(await child.ended).toBe(0);
    expect(child.stdout().match(/"ruleset":"seed"/g)).toHaveLength(2);
  });

  it('exits with 0 and prints no error if the reader closes the pipe early', async () => {
    const child = start(['explain', '--facts', '-']);
    child.stdin('{"user": {"id": "ada"}}\n'.repeat(20_000));
    await child.firstLine;
    child.hangUp();
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toBe('');
  });

  it.each([
    ['schema', ['schema', '--json'], 'stdout'],
    ['run', ['run', 'scenarios', '--json'], 'stdout'],
    ['lint', ['lint', 'scenarios'], 'stdout'],
    ['a file of forecast', ['forecast', 'tenant.yaml', '--users', '50', '--csv', '/dev/full'], null],
  ] as const)('output-unwritable: a full output device exits with 2: %s', (_what, argv, full) => {
    const office = readFileSync('docs/examples/forecast/office.yaml', 'utf8');
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'tenant.yaml': office });
    const device = openSync('/dev/full', 'w');
    const stdio = ['ignore', full === null ? 'ignore' : device, 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, [main, ...argv], { cwd, env: {}, stdio: [...stdio] });
    closeSync(device);
    expect([status, stderr.toString().split(':')[0]]).toEqual([2, 'error output-unwritable']);
  });

  it('output-unwritable: a full output device is also reported after another error', () => {
    const device = openSync('/dev/full', 'w');
    const argv = [main, 'run', 'none.yaml', '--json'];
    const { status, stderr } = spawnSync(process.execPath, argv, { stdio: ['ignore', device, 'pipe'] });
    closeSync(device);
    expect(status).toBe(2);
    expect(stderr.toString()).toMatch(/^error file-unreadable: [\s\S]*^error output-unwritable: /m);
  });

  it('a full device for error output does not change the exit code', () => {
    const device = openSync('/dev/full', 'w');
    const { status } = spawnSync(process.execPath, [main, 'schema', 'none'], { stdio: ['ignore', 'ignore', device] });
    closeSync(device);
    expect(status).toBe(2);
  });

  it('runtime-too-old: an old Node version is reported with an action before anything else is read', async () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
    const child = start(['run'], { node: ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`] });
    expect(await child.ended).toBe(2);
    expect(child.stderr()).toMatch(/^error runtime-too-old: Node 18\.20\.4 /);
  });

  it('runtime-too-old: a Node version that cannot load the sources is reported without a stack trace', () => {
    const pretend = "Object.defineProperty(process.features, 'typescript', { value: false })";
    const program = join(import.meta.dirname, '../../tooling/nudgelab.js');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, program, 'run'],
      { encoding: 'utf8' },
    );
    expect(stderr.split('\n')[0]).toMatch(/^error runtime-too-old: .* this program needs Node 22\.18\.0\.$/);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(status).toBe(2);
  });

  it('a configuration in a package without a module type is loaded without a warning', async () => {
    const cwd = suiteFolder({
      'package.json': '{}',
      'nudgelab.config.ts': 'export default { scenarios: "mine" };\n',
      'mine/a.yaml': passing,
    });
    const child = start(['run', '--quiet'], { cwd });
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toBe('');
  });
});
