import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../journal/temporary-folder.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const forecastFile = join(import.meta.dirname, '../../docs/examples/forecast/office.yaml');

it('serve writes compiled code to the cache while it runs, so that a killed server has filled it', async () => {
  const folder = temporaryFolder();
  const countFiles = (): number => readdirSync(folder, { recursive: true }).length;
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
    env: { NODE_COMPILE_CACHE: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const { controlUrl } = JSON.parse(line) as { controlUrl: string };
    await expect.poll(countFiles).toBeGreaterThan(100);
    const before = countFiles();
    expect((await fetch(`${controlUrl}/sandboxes`)).status).toBe(200);
    await expect.poll(countFiles).toBeGreaterThan(before);
    expect(server.exitCode).toBeNull();
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
});

it('threads take compiled code from the cache', async () => {
  const env = { NODE_COMPILE_CACHE: temporaryFolder(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const countAccepted = async (): Promise<number> => {
    const argv = [main, 'forecast', forecastFile, '--users', '1000', '--workers', '2', '--json'];
    const { stderr } = await promisify(execFile)(process.execPath, argv, { env, maxBuffer: 2 ** 26 });
    return stderr.match(/forecast-thread\.ts was accepted/g)?.length ?? 0;
  };
  expect(await countAccepted()).toBe(0);
  expect(await countAccepted()).toBe(2);
});

it('commands of users do not use the cache of the program', async () => {
  const script = 'console.log(typeof process.env.NODE_COMPILE_CACHE)';
  const argv = [main, 'exec', '--', process.execPath, '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: {} });
  expect(stdout).toContain('undefined');
});
