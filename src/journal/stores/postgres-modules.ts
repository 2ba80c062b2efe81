import type { Kysely } from 'kysely';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { NudgeLabError } from '../../core/errors.ts';
import { retryAfterDefaultSeconds } from '../../core/limits.ts';

/** The driver of PostgreSQL and the query builder. */
export interface PostgresModules {
  readonly pg: Pick<typeof import('pg'), 'Client' | 'Pool'>;
  readonly kysely: typeof import('kysely');
  readonly migration: typeof import('kysely/migration');
}

/** How long a connection may take to be made, and a statement to be answered, in ms. */
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;

/** Loads the optional peers. Throws `database-missing` when they are not installed. */
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

/** An address as it may be told: without username, password and parameters. */
export function tellableAddress(address: string): string {
  if (!URL.canParse(address)) return 'the database';
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/** How to connect. Takes the address. A statement that is never answered ends the connection that it went by. */
export function connectionTo(address: string): ClientConfig {
  return {
    connectionString: address,
    application_name: 'nudgelab',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
  };
}

/** A query builder that runs everything on one connection. */
export function onOneConnection({ kysely }: PostgresModules, client: Client): Kysely<never> {
  const connection = {
    query: (text: string, values: unknown[]) => client.query(text, values),
    release: () => undefined,
  } as unknown as PoolClient;
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as Pool;
  return new kysely.Kysely({ dialect: new kysely.PostgresDialect({ pool }) });
}

/** The error for a database that does not answer. Takes its address and what the driver said. */
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

/** The code of an error of PostgreSQL or of the system, such as `23503`; `null` without one. */
export function findErrorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}
