import type { Kysely } from 'kysely';
import type { Client } from 'pg';
import { NudgeLabError } from '../../core/errors.ts';
import { onOneConnection, type PostgresModules, tellableAddress } from './postgres-modules.ts';
import { creation, tableColumns } from './postgres-schema.ts';

const migrationTable = 'nudgelab_migration';
const migrationLockTable = 'nudgelab_migration_lock';

/** Names of all migrations, in order; a later version can add more. */
const migrationNames: readonly string[] = ['001-journal'];

/**
 * Number of the lock for checking and creating tables, equal to the application id of SQLite files; the value has no
 * meaning.
 */
const setUpLock = 0x4e_4c_4a_31;

/**
 * Ensures that the schema of a connection is a store of the current version. An empty schema is initialized, an older
 * one is migrated, and any other content is left unchanged. Processes that start at the same time wait for each other.
 * @param address - address for messages
 * @throws `store-unrecognized`, `store-version` or `store-incomplete` if the schema is not a usable store
 */
export async function setUp(modules: PostgresModules, client: Client, address: string): Promise<void> {
  const place = tellableAddress(address);
  await client.query('SELECT pg_advisory_lock($1)', [setUpLock]);
  try {
    const db = onOneConnection(modules, client);
    const missing = await missingMigrations(client, place);
    if (missing > 0) await migrate(modules, db, place);
    await refuseOtherColumns(client, place);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [setUpLock]);
  }
}

/** Counts the pending migrations before anything is written. */
async function missingMigrations(client: Client, place: string): Promise<number> {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
  );
  const names = rows.map(({ name }) => name);
  const others = names.filter((name) => name !== migrationTable && name !== migrationLockTable);
  if (!names.includes(migrationTable)) {
    if (others.length > 0) throw foreign(place, others);
    return migrationNames.length;
  }
  const applied = await client.query<{ readonly name: string }>(`SELECT name FROM ${migrationTable} ORDER BY name`);
  const unknown = applied.rows.find(({ name }) => !migrationNames.includes(name));
  if (unknown !== undefined) {
    throw new NudgeLabError('store-version', {
      message: `${place} was created by a later version: it has migration ${unknown.name}, but the latest one here is ${migrationNames.at(-1)}.`,
    });
  }
  if (applied.rows.length === 0 && others.length > 0) {
    throw halfMade(place, `it has the tables ${others.toSorted().join(', ')}, but no completed migration`);
  }
  return migrationNames.length - applied.rows.length;
}

async function migrate({ kysely, migration }: PostgresModules, db: Kysely<never>, place: string): Promise<void> {
  const journal = {
    up: async (to: Kysely<unknown>) => {
      for (const statement of creation) await kysely.sql.raw(statement).execute(to);
    },
  };
  const migrator = new migration.Migrator({
    db,
    provider: { getMigrations: async () => ({ '001-journal': journal }) },
    migrationTableName: migrationTable,
    migrationLockTableName: migrationLockTable,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : String(error);
  throw halfMade(place, `its tables could not be created: ${reason}`, error);
}

async function refuseOtherColumns(client: Client, place: string): Promise<void> {
  const { rows } = await client.query<{ readonly table_name: string; readonly column_name: string }>(
    'SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()',
  );
  for (const [table, expected] of Object.entries(tableColumns)) {
    const found = rows.filter(({ table_name }) => table_name === table).map(({ column_name }) => column_name);
    const missing = expected.filter((column) => !found.includes(column));
    if (found.length === 0) throw halfMade(place, `the table ${table} is missing`);
    if (missing.length > 0) throw halfMade(place, `the table ${table} has no column ${missing.join(', ')}`);
  }
}

function foreign(place: string, others: readonly string[]): NudgeLabError {
  const few = others.toSorted().slice(0, 5).join(', ');
  return new NudgeLabError('store-unrecognized', {
    message: `${place} contains tables of another program (${few}); use a separate database or schema for the store.`,
  });
}

function halfMade(place: string, reason: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('store-incomplete', { message: `${place}: ${reason}.`, cause });
}
