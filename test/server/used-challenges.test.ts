import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { acceptedOnce, answerTwice, endServers, serverOn } from './answer-twice.ts';

describe('A22: an accepted passkey response is rejected when replayed', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nudgelab-challenges-'));
  });
  afterEach(endServers);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('another server with the same in-memory journals rejects it', async () => {
    const store = new MemoryStore();
    const statuses = await answerTwice(
      () => serverOn(store),
      () => serverOn(store),
    );
    expect(statuses).toEqual(acceptedOnce);
  });

  test('a restarted server on the same file rejects it', async () => {
    const path = join(folder, 'kept.db');
    const statuses = await answerTwice(
      () => serverOn(SqliteStore.open(path)),
      async () => {
        await endServers();
        return serverOn(SqliteStore.open(path));
      },
    );
    expect(statuses).toEqual(acceptedOnce);
  });
});
