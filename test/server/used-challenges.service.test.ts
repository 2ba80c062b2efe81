import { afterEach, describe, expect, test } from 'vitest';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { setPostgres } from '../journal/set-postgres.ts';
import { acceptedOnce, answerTwice, endServers, serverOn } from './answer-twice.ts';

describe('A22: an accepted passkey response is rejected when replayed', () => {
  const postgres = setPostgres();
  afterEach(endServers);

  test('another server of the same database rejects it, even if it had already read the used challenges', async () => {
    const address = await postgres.database();
    const other = await serverOn(await PostgresStore.open(address));
    const statuses = await answerTwice(
      async () => serverOn(await PostgresStore.open(address)),
      async () => other,
    );
    expect(statuses).toEqual(acceptedOnce);
  });
});
