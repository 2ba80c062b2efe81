import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import type { RunningServer } from '../../src/server/start.ts';
import { WorkerServer } from '../../src/testing/worker-server.ts';
import { key, keyedServer } from '../server/access/keyed-server.ts';
import { runHere } from './command-context.ts';
import { passing, suiteFolder } from './suite-folder.ts';

let server: RunningServer;
let sandboxes: Sandboxes;

beforeAll(async () => {
  ({ server, sandboxes } = await keyedServer());
});

afterAll(async () => {
  await server.close();
  await sandboxes.close();
});

/** Returns the command line of a process as other users see it in a process list. */
function shownInList(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) ? readFileSync(file, 'utf8') : execFileSync('ps', ['-o', 'args=', '-p', `${pid}`]).toString();
}

const commands: readonly { readonly command: readonly string[] }[] = [
  { command: ['token'] },
  { command: ['export'] },
  { command: ['documents', 'list'] },
  { command: ['run', 'scenarios'] },
  { command: ['fuzz', '--runs', '1', '--max-steps', '2'] },
];

describe('control key on the command line', () => {
  it.each(commands)(
    '$command sends the key from option, environment and configuration, and never prints it',
    async ({ command }) => {
      const suite = { 'scenarios/a.yaml': passing };
      const argv = [...command, '--url', server.baseUrl];
      const ended = [
        await runHere([...argv, '--control-key', key], { cwd: suiteFolder(suite) }),
        await runHere(argv, { cwd: suiteFolder(suite), env: { NUDGELAB_CONTROL_KEY: key } }),
        await runHere(argv, {
          cwd: suiteFolder({ ...suite, 'nudgelab.config.json': JSON.stringify({ controlKey: key }) }),
        }),
      ];
      expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(ended.map(() => [0, '']));
      for (const { stdout, stderr } of ended) expect(`${stdout}${stderr}`).not.toContain(key);
    },
  );

  it.each(commands)('$command fails without the key and with a wrong key', async ({ command }) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const argv = [...command, '--url', server.baseUrl];
    for (const options of [[], ['--control-key', 'another-key-of-somebody']]) {
      const { code, stdout, stderr } = await runHere([...argv, ...options], { cwd });
      expect(code).not.toBe(0);
      expect(`${stdout}${stderr}`).not.toContain('another-key-of-somebody');
    }
  });

  it('reports of a failed run do not contain the key', async () => {
    const failing = suiteFolder({ 'scenarios/a.yaml': passing.replace('page: prompt', 'page: required') });
    const { code } = await runHere(['run', '--url', server.baseUrl, '--control-key', key, '--report', 'reports'], {
      cwd: failing,
    });
    expect(code).toBe(1);
    // The report of a failed step shows the expected values, so the key is expected here.
    const step = `  - getPolicy: {}\n    expect: { status: 204, headers: { etag: ${key} } }\n`;
    const naming = suiteFolder({ 'scenarios/a.yaml': `${passing}${step}` });
    const argv = ['run', '--url', server.baseUrl, '--control-key', key, '--report', 'reports'];
    const shown = await runHere(argv, { cwd: naming });
    expect([shown.code, shown.stdout.includes('headers'), shown.stdout.includes(key)]).toEqual([1, true, false]);
    for (const cwd of [failing, naming]) {
      for (const name of ['report.html', 'report.json', 'junit.xml', 'ctrf.json', 'summary.md']) {
        expect(readFileSync(join(cwd, 'reports', name), 'utf8')).not.toContain(key);
      }
    }
  });

  it('test fixtures send the key', async () => {
    const worker = await WorkerServer.at(server.baseUrl, key);
    const bench = await worker.bench({ users: { ada: 'sms-user' } });
    expect(bench.baseUrl).toContain('/s/');
    await bench.close();
    await worker.close();
  });

  it('exec passes the key to its command', async () => {
    const script = 'process.exit(process.env.NUDGELAB_CONTROL_KEY === process.argv[1] ? 0 : 3)';
    const argv = ['exec', '--control-key', key, '--', process.execPath, '--eval', script, key];
    expect((await runHere(argv)).code).toBe(0);
  });

  it('process lists do not show the key', async () => {
    const main = join(import.meta.dirname, '../../src/cli/main.ts');
    const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', '--control-key', key], { env: {} });
    const { promise, resolve } = Promise.withResolvers<void>();
    child.stdout.once('data', () => resolve());
    await promise;
    const shown = shownInList(child.pid ?? 0);
    child.kill('SIGTERM');
    expect(shown).not.toContain(key);
    expect(shown).toContain('nudgelab');
  });
});
