import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';
import type { JournalStore } from '../journal/store.ts';

/**
 * Opens a store by what `--db` names: the address of a PostgreSQL database, or a SQLite file below a folder, which is made
 * where there is none. Throws what opening the store throws.
 */
export async function openStore(db: string, cwd: string): Promise<JournalStore> {
  if (isDatabase(db)) {
    const { PostgresStore } = await import('../journal/stores/postgres.store.ts');
    return PostgresStore.open(db);
  }
  const { SqliteStore } = await import('../journal/stores/sqlite.store.ts');
  return SqliteStore.open(resolve(cwd, db));
}

/** Opens a store that is there already, to read it. Throws `file-unreadable` for a file that is not there. */
export async function openStoreThere(db: string, cwd: string): Promise<JournalStore> {
  if (!isDatabase(db) && !existsSync(resolve(cwd, db))) {
    throw new NudgeLabError('file-unreadable', { message: `There is no file ${db}.` });
  }
  return openStore(db, cwd);
}

/** Whether `--db` names a database and no file. */
export function isDatabase(db: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db);
}

/** What `--db` names as it may be told: the address of a database without its password. */
export function redactStoreUrl(db: string): string {
  if (!isDatabase(db) || !URL.canParse(db)) return db;
  const { host, pathname } = new URL(db);
  return `postgres://${host}${pathname}`;
}
