import { describe, expect, test } from 'vitest';
import { setPostgres } from '../journal/set-postgres.ts';
import { loadInstances } from './instances.ts';
import { killCycles } from './kill-cycles.ts';

const seed = Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105);

describe('several servers on one database', () => {
  const server = setPostgres();

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
