import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { nonEmpty } from '../non-empty.ts';
import { runSql } from './postgres-server.ts';
import { setPostgres } from './set-postgres.ts';
import { storeConformance } from './store-conformance.ts';
import { entryAt, snapshotAt } from './stored-samples.ts';

describe('PostgresStore', () => {
  const server = setPostgres();

  const opened = async (address: string): Promise<PostgresStore> => {
    const store = await PostgresStore.open(address);
    onTestFinished(() => store.close().catch(() => undefined));
    return store;
  };

  storeConformance(async (options) => PostgresStore.open(await server.database(), options));

  test('flushed data is available when the database is opened again', async () => {
    const address = await server.database();
    const store = await opened(address);
    store.append('b', entryAt(1));
    store.append('a', entryAt(1));
    store.append('a', entryAt(2));
    await store.saveSnapshot('a', snapshotAt(2, 'two'));
    await store.keep('a', 'key', 'one');
    await store.close();
    const again = await opened(address);
    expect(await again.sandboxIds()).toEqual(['b', 'a']);
    expect(await again.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2)]);
    expect(await again.snapshot('a', 'two')).toEqual(snapshotAt(2, 'two'));
    expect(await again.kept('a', 'key')).toBe('one');
    expect((await again.sharing.take('a', null))?.place.seq).toBe(2);
    again.append('a', entryAt(3));
    await again.flushed();
    expect(await again.lastSeq('a')).toBe(3);
  });

  test('sandbox-not-found: nothing is appended, stored or removed without the lease of the sandbox', async () => {
    const address = await server.database();
    const [first, second] = [await opened(address), await opened(address)];
    first.append('a', entryAt(1));
    await first.flushed();
    expect(() => second.append('a', entryAt(2))).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    await expect(second.keep('a', 'key', 'one')).rejects.toMatchObject({ code: 'sandbox-not-found' });
    await second.remove('a');
    expect(await first.lastSeq('a')).toBe(1);
  });

  test('sandbox-exists: only one of two processes can create a sandbox', async () => {
    const address = await server.database();
    const stores = [await opened(address), await opened(address)];
    const outcomes = await Promise.allSettled(stores.map((store) => store.sharing.reserve('a')));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a lease is transferred with the entries, stored values and discarded values since then', async () => {
    const address = await server.database();
    const [first, second] = [await opened(address), await opened(address)];
    first.append('a', entryAt(1));
    await first.keep('a', 'x', 'one');
    const known = await first.sharing.giveBack('a');
    const taken = await second.sharing.take('a', null);
    expect(taken).toMatchObject({ place: { seq: 1 }, changes: null });
    second.append('a', entryAt(2));
    await second.keep('a', 'y', 'two');
    await second.discard('a', 'x');
    await second.sharing.giveBack('a');
    const back = await first.sharing.take('a', known);
    expect(back?.changes?.entries).toEqual([entryAt(2)]);
    expect(back?.changes?.kept).toEqual(
      new Map<string, string | null>([
        ['y', 'two'],
        ['x', null],
      ]),
    );
  });

  test('a process that requests a sandbox notifies its holder and waits until the sandbox is released', async () => {
    const address = await server.database();
    const [first, second] = [await opened(address), await opened(address)];
    first.append('a', entryAt(1));
    await first.flushed();
    const wanted = Promise.withResolvers<string>();
    const ignore = () => undefined;
    first.sharing.listen({ wanted: wanted.resolve, written: ignore, removed: ignore, lost: ignore, addressed: ignore });
    let has = false;
    const taking = second.sharing.take('a', null).then((taken) => {
      has = true;
      return taken;
    });
    expect(await wanted.promise).toBe('a');
    first.append('a', entryAt(2));
    expect(has).toBe(false);
    await first.sharing.giveBack('a');
    expect((await taking)?.place.seq).toBe(2);
  });

  test('store-unavailable: every operation is rejected without the database, and no acknowledged entry is lost', async () => {
    const address = await server.database();
    const store = await opened(address);
    const lost = Promise.withResolvers<void>();
    const ignore = () => undefined;
    store.sharing.listen({
      wanted: ignore,
      written: ignore,
      removed: ignore,
      lost: () => lost.resolve(),
      addressed: ignore,
    });
    store.append('a', entryAt(1));
    await store.flushed();
    server.crash();
    store.append('a', entryAt(2));
    await expect(store.flushed()).rejects.toMatchObject({ code: 'store-unavailable', headers: { 'Retry-After': '1' } });
    await lost.promise;
    expect(() => store.append('a', entryAt(2))).toThrow(expect.objectContaining({ code: 'store-unavailable' }));
    await expect(store.entries('a', { after: 0, limit: 9 })).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(store.sharing.take('a', null)).rejects.toMatchObject({ code: 'store-unavailable' });
    server.start();
    await expect
      .poll(
        () =>
          store.sharing.take('a', null).then(
            (taken) => taken?.place.seq,
            () => null,
          ),
        { timeout: 20_000 },
      )
      .toBe(1);
    store.append('a', entryAt(2));
    await store.flushed();
    expect(await store.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2)]);
  }, 60_000);

  test('store-unavailable: queries in progress are rejected when the database stops, and the process goes on', async () => {
    const address = await server.database();
    const store = await opened(address);
    const holder = new pg.Client({ connectionString: address });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE sandbox');
    const outcomes = Promise.allSettled([store.sandboxIds(), store.sandboxIds(), store.sandboxIds()]);
    const waiting = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(() => runSql(address, waiting)).toEqual([{ count: 3 }]);
    server.crash();
    expect((await outcomes).map((one) => one.status === 'rejected' && one.reason.code)).toEqual([
      'store-unavailable',
      'store-unavailable',
      'store-unavailable',
    ]);
    server.start();
    await expect.poll(() => store.sandboxIds().catch(() => null), { timeout: 20_000 }).toEqual([]);
  }, 60_000);

  test('store-unavailable: a process that does not release a sandbox loses it and is notified', async () => {
    const address = await server.database();
    const [first, second] = [await opened(address), await opened(address)];
    const lost = Promise.withResolvers<string>();
    const ignore = () => undefined;
    first.sharing.listen({
      wanted: ignore,
      written: ignore,
      removed: ignore,
      lost: ({ code }) => lost.resolve(code),
      addressed: ignore,
    });
    first.append('a', entryAt(1));
    await first.flushed();
    expect((await second.sharing.take('a', null))?.place.seq).toBe(1);
    expect(await lost.promise).toBe('store-unavailable');
    expect(() => first.append('a', entryAt(2))).toThrow();
  });

  test('store-unavailable: a session that the server ends loses its leases, and another process continues', async () => {
    const address = await server.database();
    const [first, second] = [await opened(address), await opened(address)];
    first.append('a', entryAt(1));
    await first.flushed();
    await runSql(
      address,
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect((await second.sharing.take('a', null))?.place.seq).toBe(1);
    second.append('a', entryAt(2));
    await second.flushed();
    // The first store may have connected again in the meantime.
    const code = expect.stringMatching(/^(store-unavailable|sandbox-not-found)$/);
    expect(() => first.append('a', entryAt(2))).toThrow(expect.objectContaining({ code }));
    expect(await second.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2)]);
    await expect
      .poll(() => first.entries('a', { after: 0, limit: 9 }).catch(() => null), { timeout: 20_000 })
      .toEqual([entryAt(1), entryAt(2)]);
  });

  test('store-unrecognized: a database with the tables of another program is rejected and not changed', async () => {
    const address = await server.database();
    await runSql(address, 'CREATE TABLE customer (id int)');
    await expect(PostgresStore.open(address)).rejects.toMatchObject({ code: 'store-unrecognized' });
    expect(
      await runSql(address, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname !~ '^(pg_|sql_)'"),
    ).toEqual([{ relname: 'customer' }]);
  });

  test('store-version: a database that a later version has migrated is rejected', async () => {
    const address = await server.database();
    await (await PostgresStore.open(address)).close();
    await runSql(address, "INSERT INTO nudgelab_migration VALUES ('002-later', now()::text)");
    await expect(PostgresStore.open(address)).rejects.toMatchObject({ code: 'store-version' });
  });

  test.each([
    ['a table is missing', 'DROP TABLE kept'],
    ['a column is missing', 'ALTER TABLE kept DROP COLUMN mark'],
    ['no migration was completed', 'DELETE FROM nudgelab_migration'],
  ])('store-incomplete: a database is rejected if %s', async (_what, sql) => {
    const address = await server.database();
    await (await PostgresStore.open(address)).close();
    await runSql(address, sql);
    await expect(PostgresStore.open(address)).rejects.toMatchObject({ code: 'store-incomplete' });
  });

  test('processes that initialize an empty database at the same time wait for each other', async () => {
    const address = await server.database();
    const stores = await Promise.all([1, 2, 3].map(() => PostgresStore.open(address)));
    for (const store of nonEmpty(stores)) expect(await store.sandboxIds()).toEqual([]);
    for (const store of stores) await store.close();
  });

  test('store-unavailable: a URL without a server is reported without its password', async () => {
    const refused = PostgresStore.open('postgres://user:secret@127.0.0.1:1/none');
    await expect(refused).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(refused).rejects.not.toThrow(/secret/);
  });
});
