import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DocumentFileStore } from '../../src/documents/document-file-store.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Returns the permissions of a file or folder in octal. */
const getMode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Clears the umask for one test, so only the program restricts permissions. */
function withoutMask(): void {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
}

describe('files with keys and private documents', () => {
  it('068: only the owner can access a new store and its logs', async () => {
    withoutMask();
    const path = join(temporaryFolder(), 'store.db');
    const sandboxes = await Sandboxes.open(SqliteStore.open(path));
    await sandboxes.create('default', planSandbox({}));
    expect(getMode(path)).toBe('600');
    expect([existsSync(`${path}-wal`), getMode(`${path}-wal`)]).toEqual([true, '600']);
    if (existsSync(`${path}-shm`)) expect(getMode(`${path}-shm`)).toBe('600');
    await sandboxes.close();
    await (await Sandboxes.open(SqliteStore.open(path))).close();
    expect(getMode(path)).toBe('600');
  });

  it('068: an existing file keeps its permissions', () => {
    withoutMask();
    const path = join(temporaryFolder(), 'store.db');
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    const store = SqliteStore.open(path);
    expect([getMode(path), getMode(`${path}-wal`)]).toEqual(['640', '640']);
    return store.close();
  });

  it('068: only the owner can access the folder of documents', async () => {
    withoutMask();
    const folder = join(temporaryFolder(), 'documents');
    const fileStore = new DocumentFileStore(folder);
    await expect(fileStore.take(Readable.from([]), { webp: false })).rejects.toThrow();
    expect(getMode(folder)).toBe('700');
    fileStore.close();
  });
});
