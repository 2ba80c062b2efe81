import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import { randomSource } from '../../src/core/random.ts';
import type { JournalEntry } from '../../src/journal/journal-event.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { nonEmpty } from '../non-empty.ts';
import { temporaryFolder } from './temporary-folder.ts';

const cycles = 10;

/** Runs the crowd on a file, kills it after a number of acknowledged entries, and returns all acknowledged entries. */
async function runAndKill(path: string, afterEntries: number): Promise<readonly JournalEntry[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crashing-process.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: JournalEntry[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(JSON.parse(line) as JournalEntry);
    if (acknowledged.length === afterEntries) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return acknowledged;
}

/** Counts the snoozes of each user in the journal. In this crowd, every skip is a snooze. */
function skipsByUser(journal: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const userOf = new Map<string, string>();
  const skips = new Map<string, number>();
  for (const { event } of journal) {
    if (event.type === 'signIn.started') userOf.set(event.signInId, event.userId);
    if (event.type !== 'prompt.skipped') continue;
    const userId = userOf.get(event.signInId) ?? '';
    skips.set(userId, (skips.get(userId) ?? 0) + 1);
  }
  return skips;
}

function expectCounts(sandbox: Sandbox, journal: readonly JournalEntry[]): void {
  const skips = skipsByUser(journal);
  for (const { id } of nonEmpty(sandbox.directory.users({ limit: 100 }))) {
    expect(sandbox.directory.nudgeStatus(id).snoozes).toBe(skips.get(id) ?? 0);
  }
}

test('A26: after kill -9 under load, every acknowledged entry is stored and every snooze is counted once', {
  timeout: 120_000,
}, async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const random = randomSource(2);
  let acknowledgedBefore = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const acknowledged = await runAndKill(path, 20 + Math.floor(random() * 500));
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    const store = SqliteStore.open(path);
    const sandboxes = await Sandboxes.open(store);
    const sandbox = sandboxes.get(defaultSandboxId);
    const journal = await sandbox.journal({ after: 0, limit: Number.POSITIVE_INFINITY });
    for (const entry of acknowledged) expect(journal[entry.seq - 1]).toEqual(entry);
    expectCounts(sandbox, journal);
    expect(journal.length).toBeGreaterThanOrEqual(acknowledgedBefore + acknowledged.length);
    acknowledgedBefore = journal.length;
    await (cycle % 2 === 0 ? sandboxes.close() : store.close());
  }
});
