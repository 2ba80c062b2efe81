import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { freePort, kill, redisIsInstalled, startRedis } from '../forecast/redis-server.ts';
import { postgresPrograms, runSql, startPostgres } from '../journal/postgres-server.ts';
import { entryAt } from '../journal/stored-samples.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const programs = postgresPrograms();
const hasRedis = redisIsInstalled();

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly action: string;
}

/** Runs `doctor` and returns its exit code and the checks of store and queue. */
async function services(argv: readonly string[], cwd = suiteFolder({})): Promise<{ code: number; checks: Check[] }> {
  const ended = await runHere(['doctor', '--json', '--port', '0', ...argv], { cwd });
  const { checks } = parseOutput(ended) as { checks: Check[] };
  return { code: ended.code, checks: checks.filter(({ name }) => name === 'store' || name === 'queue') };
}

describe('doctor: external services', () => {
  it('store-unavailable, queue-unreachable: each check suggests an action, and neither shows a password', async () => {
    const port = await freePort();
    const { code, checks } = await services([
      ...['--db', `postgres://nudge:geheim@127.0.0.1:${port}/journals`],
      ...['--queue', `redis://:geheim@127.0.0.1:${port}`],
    ]);
    expect(code).toBe(1);
    expect(checks.map(({ name, ok, message }) => [name, ok, message.split(':')[0]])).toEqual([
      ['store', false, 'store-unavailable'],
      ['queue', false, 'queue-unreachable'],
    ]);
    expect(checks.every(({ action }) => action !== '')).toBe(true);
    expect(JSON.stringify(checks)).not.toContain('geheim');
  });

  it('file-unreadable: a missing SQLite file is reported and not created', async () => {
    const cwd = suiteFolder({});
    expect(await services(['--db', 'journal.sqlite'], cwd)).toMatchObject({ code: 1, checks: [{ ok: false }] });
    expect((await services(['--db', 'journal.sqlite'], cwd)).checks[0]?.message).toMatch(/^file-unreadable/);
  });

  it('opens a SQLite file and counts its sandboxes', async () => {
    const cwd = suiteFolder({});
    const store = SqliteStore.open(`${cwd}/journal.sqlite`);
    store.append('a', entryAt(1));
    await store.close();
    expect(await services(['--db', 'journal.sqlite'], cwd)).toEqual({
      code: 0,
      checks: [{ name: 'store', ok: true, message: 'journal.sqlite can be opened and has 1 sandbox', action: '' }],
    });
  });

  it('store-unrecognized: a database of another program is reported, and an empty one is accepted', {
    timeout: 60_000,
  }, async ({ skip }) => {
    if (programs === null) return skip('PostgreSQL is not installed, so this was not run');
    const server = await startPostgres(programs);
    onTestFinished(() => server.end());
    const [own, foreign] = [await server.database(), await server.database()];
    await runSql(foreign, 'CREATE TABLE invoices (id int)');
    expect(await services(['--db', own])).toMatchObject({ code: 0, checks: [{ name: 'store', ok: true }] });
    expect((await services(['--db', foreign])).checks[0]?.message).toMatch(/^store-unrecognized/);
  });

  it('queue-unreachable: a running Redis passes the check', async ({ skip }) => {
    if (!hasRedis) return skip('redis-server is not installed, so this was not run');
    const port = await freePort();
    const redis = await startRedis(port);
    onTestFinished(() => kill(redis));
    expect(await services(['--queue', `redis://127.0.0.1:${port}`])).toEqual({
      code: 0,
      checks: [{ name: 'queue', ok: true, message: `redis://127.0.0.1:${port} answers`, action: '' }],
    });
  });
});
