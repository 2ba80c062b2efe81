import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

interface Seen {
  readonly made: number;
  readonly reachable: number;
  readonly bytesMade: number;
  readonly bytesUsed: number;
}

/** Runs the process with garbage collection on demand and a few sandboxes. */
async function seen(...more: readonly string[]): Promise<Seen> {
  const file = join(import.meta.dirname, 'deleted-sandboxes-process.ts');
  const args = ['--expose-gc', file, '--sandboxes', '12', ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Seen;
}

test('a deleted sandbox is unreachable after use through every API', {
  timeout: 60_000,
}, async () => {
  const { made, reachable, bytesMade, bytesUsed } = await seen();
  expect([made, reachable]).toEqual([12, 0]);
  expect(bytesMade).toBeGreaterThan(0);
  expect(bytesUsed).toBeGreaterThan(bytesMade);
});

test('canary: a deleted sandbox that is still referenced is found', { timeout: 240_000 }, async () => {
  expect((await seen('--hold')).reachable).toBe(1);
});
