import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Checks whether redis-server is installed. Throws in CI if it is missing, because its tests must not be skipped there.
 */
export function redisIsInstalled(): boolean {
  const { error } = spawnSync('redis-server', ['--version']);
  if (error === undefined) return true;
  if (process.env['CI'] === 'true') throw new Error('redis-server is not installed, and in CI it must be.');
  return false;
}

/** Returns a port that is not in use. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a Redis without persistence, with further options, and waits until it responds. */
export async function startRedis(port: number, options: readonly string[] = []): Promise<ChildProcess> {
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...options,
  ]);
  await lineFrom(server, /Ready to accept connections/);
  return server;
}

/** Starts a worker of a queue as a separate process, with further options, and waits until it accepts jobs. */
export async function startWorker(address: string, options: readonly string[] = []): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ['tooling/nudgelab.js', 'worker', '--queue', address, '--json', ...options]);
  await lineFrom(worker, /"worker":/);
  return worker;
}

/** Kills a process immediately, like a power failure. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function lineFrom(child: ChildProcess, pattern: RegExp): Promise<void> {
  if (child.stdout === null) throw new Error('Nothing can be read from the process.');
  for await (const line of createInterface({ input: child.stdout })) if (pattern.test(line)) return;
  throw new Error(`The process ended without saying ${pattern}.`);
}
