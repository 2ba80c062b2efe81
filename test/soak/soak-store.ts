import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, startPostgres } from '../journal/postgres-server.ts';

/** Temporary store for a check. */
export interface SoakStore {
  /** Value of `--db`, or `undefined` for the memory store. */
  readonly db: string | undefined;
  end(): void;
}

/**
 * Creates a store of the given type: `memory`, a separate SQLite file, or a PostgreSQL server started for it.
 * Returns `null` if PostgreSQL is not installed, but throws in CI. Throws for an unknown type.
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

/** Message for a check that cannot run. */
export const withoutPostgres = 'left out: PostgreSQL is not installed on this machine';
