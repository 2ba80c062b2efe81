import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, startPostgres } from '../journal/postgres-server.ts';

/** A store for the time of a check. */
export interface SoakStore {
  /** The value of `--db`; `undefined` for the memory store. */
  readonly db: string | undefined;
  end(): void;
}

/**
 * Makes a store of a kind: `memory`, an SQLite file of its own, or a PostgreSQL that is started for it. Returns `null` where
 * PostgreSQL is not installed; in CI it throws then. Throws for another kind.
 */
export async function soakStore(kind: string): Promise<SoakStore | null> {
  switch (kind) {
    case 'memory':
      return { db: undefined, end: () => undefined };
    case 'sqlite': {
      const folder = mkdtempSync(join(tmpdir(), 'nudgelab-soak-'));
      return { db: join(folder, 'store.sqlite'), end: () => rmSync(folder, { recursive: true, force: true }) };
    }
    case 'postgres': {
      const programs = postgresPrograms();
      if (programs === null) return null;
      const server = await startPostgres(programs, { syncs: true });
      return { db: await server.database(), end: () => server.end() };
    }
    default:
      throw new RangeError(`There is no store ${kind}.`);
  }
}

/** What is said where a check cannot be made. */
export const withoutPostgres = 'left out: PostgreSQL is not installed on this machine';
