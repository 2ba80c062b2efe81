import type { Kysely } from 'kysely';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { NudgeLabError } from '../../core/errors.ts';
import { retryAfterDefaultSeconds } from '../../core/limits.ts';

/** PostgreSQL driver and query builder. */
export interface PostgresModules {
  readonly pg: Pick<typeof import('pg'), 'Client' | 'Pool'>;
  readonly kysely: typeof import('kysely');
  readonly migration: typeof import('kysely/migration');
}

/** Timeouts in milliseconds for connecting and for a statement. */
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;

/**
 * Loads the optional peer dependencies.
 * @throws `database-missing` if the packages are not installed
 */
export async function postgresModules(): Promise<PostgresModules> {
  try {
    const [{ default: pg }, kysely, migration] = await Promise.all([
      import('pg'),
      import('kysely'),
      import('kysely/migration'),
    ]);
    return { pg, kysely, migration };
  } catch (cause) {
    throw new NudgeLabError('database-missing', { cause });
  }
}

/** Returns an address without username, password and parameters, for messages. */
export function tellableAddress(address: string): string {
  if (!URL.canParse(address)) return 'the database';
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/** Creates the connection settings of an address. A statement without a response ends its connection. */
export function connectionTo(address: string): ClientConfig {
  return {
    connectionString: address,
    application_name: 'nudgelab',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
  };
}

/** Creates a query builder that runs all queries on one connection. */
export function onOneConnection({ kysely }: PostgresModules, client: Client): Kysely<never> {
  const connection = {
    query: (text: string, values: unknown[]) => client.query(text, values),
    release: () => undefined,
  } as unknown as PoolClient;
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as Pool;
  return new kysely.Kysely({ dialect: new kysely.PostgresDialect({ pool }) });
}

/** Creates the error for an unreachable database from its address and the error of the driver. */
export function unavailable(address: string, cause: unknown): NudgeLabError {
  if (cause instanceof NudgeLabError) return cause;
  const reason =
    cause instanceof Error && cause.message !== '' ? cause.message : (findErrorCode(cause) ?? String(cause));
  return new NudgeLabError('store-unavailable', {
    message: `${tellableAddress(address)}: ${reason}.`,
    headers: { 'Retry-After': String(retryAfterDefaultSeconds) },
    cause,
  });
}

/** Returns the code of a PostgreSQL or system error, such as `23503`; `null` if it has none. */
export function findErrorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}
