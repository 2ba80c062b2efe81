import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../journal/temporary-folder.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

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
