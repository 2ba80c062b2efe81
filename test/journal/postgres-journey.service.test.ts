import { expect, onTestFinished, test } from 'vitest';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { postgresPrograms, startPostgres } from './postgres-server.ts';
import { entryAt } from './stored-samples.ts';

test('a journal that was flushed to PostgreSQL is available when the database is opened again', async ({ skip }) => {
  const programs = postgresPrograms();
  if (programs === null) return skip('PostgreSQL is not installed, so this was not run');
  const server = await startPostgres(programs);
  onTestFinished(() => server.end());
  const address = await server.database();
  const store = await PostgresStore.open(address);
  store.append('a', entryAt(1));
  store.append('a', entryAt(2));
  await store.close();
  const again = await PostgresStore.open(address);
  onTestFinished(() => again.close());
  expect(await again.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2)]);
});
