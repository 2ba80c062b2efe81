import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';

const startMs = 60_000;

/**
 * Registers the hooks that start a PostgreSQL server before the tests of a group, and skip its tests if PostgreSQL is not
 * installed. The members of the server are available once a test runs.
 */
export function setPostgres(): PostgresServer {
  const programs = postgresPrograms();
  const server = {} as PostgresServer;
  beforeAll(async () => {
    if (programs !== null) Object.assign(server, await startPostgres(programs));
  }, startMs);
  beforeEach(({ skip }) => {
    if (programs === null) skip('PostgreSQL is not installed, so this was not run');
  });
  afterAll(() => {
    if (programs !== null) server.end();
  });
  return server;
}
