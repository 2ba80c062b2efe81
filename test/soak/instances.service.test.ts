import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PostgresServer, postgresPrograms, startPostgres } from '../journal/postgres-server.ts';
import { loadInstances } from './instances.ts';
import { killCycles } from './kill-cycles.ts';

const programs = postgresPrograms();
const notRun = 'PostgreSQL is not installed, so this was not run';
const seed = Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105);

describe('several servers on one database', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    if (programs !== null) server = await startPostgres(programs);
  }, 60_000);
  beforeEach(({ skip }) => {
    if (programs === null) skip(notRun);
  });
  afterAll(() => {
    if (programs !== null) server.end();
  });

  test('A26: every acknowledged change exists once, and every code is used once, if servers are killed', {
    timeout: 120_000,
  }, async () => {
    const db = await server.database();
    const seen = await loadInstances({ db, instances: 3, journeys: 60, kills: 2, seed });
    expect(seen.errors).toEqual([]);
    expect(seen.acknowledged).toBeGreaterThan(100);
    expect(seen.codesTwice).toBeGreaterThan(10);
  });

  test('A26: a server on PostgreSQL that is killed under load loses nothing and duplicates nothing', {
    timeout: 120_000,
  }, async () => {
    const killed = await killCycles({ db: await server.database(), cycles: 2, seed });
    expect(killed.acknowledged).toBeGreaterThan(40);
  });
});
