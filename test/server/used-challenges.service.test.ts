import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../journal/postgres-server.ts';
import { acceptedOnce, answerTwice, endServers, serverOn } from './answer-twice.ts';

const programs = postgresPrograms();

describe('A22: an accepted passkey response is rejected when replayed', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    if (programs !== null) postgres = await startPostgres(programs);
  }, 60_000);
  afterEach(endServers);
  afterAll(() => {
    if (programs !== null) postgres.end();
  });

  test('another server of the same database rejects it, even if it had already read the used challenges', async ({
    skip,
  }) => {
    if (programs === null) skip('PostgreSQL is not installed, so this was not run');
    const address = await postgres.database();
    const other = await serverOn(await PostgresStore.open(address));
    const statuses = await answerTwice(
      async () => serverOn(await PostgresStore.open(address)),
      async () => other,
    );
    expect(statuses).toEqual(acceptedOnce);
  });
});
