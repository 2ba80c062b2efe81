import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';
import type { JournalStore } from '../journal/store.ts';

/** Stores that `--db` can name, for the help. */
export const storeKinds = 'SQLite file or PostgreSQL database (postgres://…)';

/**
 * Opens the store named by `--db`: a PostgreSQL database, or a SQLite file whose folder is created if it is
 * missing. Throws any error of the store.
 */
export async function openStore(db: string, cwd: string): Promise<JournalStore> {
  if (isDatabase(db)) {
    const { PostgresStore } = await import('../journal/stores/postgres.store.ts');
    return PostgresStore.open(db);
  }
  const { SqliteStore } = await import('../journal/stores/sqlite.store.ts');
  return SqliteStore.open(resolve(cwd, db));
}

/** Opens an existing store for reading. Throws `file-unreadable` if the file does not exist. */
export async function openStoreThere(db: string, cwd: string): Promise<JournalStore> {
  if (!isDatabase(db) && !existsSync(resolve(cwd, db))) {
    throw new NudgeLabError('file-unreadable', { message: `The file ${db} does not exist.` });
  }
  return openStore(db, cwd);
}

/** Checks whether `--db` names a database instead of a file. */
export function isDatabase(db: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db);
}

/** Returns the value of `--db` for display. The URL of a database is shown without its password. */
export function redactStoreUrl(db: string): string {
  if (!isDatabase(db) || !URL.canParse(db)) return db;
  const { host, pathname } = new URL(db);
  return `postgres://${host}${pathname}`;
}
