import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Account of the server if the tests run as root, because PostgreSQL does not run as root. */
const account = 'postgres';

/** PostgreSQL server for a test. */
export interface PostgresServer {
  /** Creates another empty database at each call and returns its URL. */
  database(): Promise<string>;
  /** Stops the server immediately, like a power failure. */
  crash(): void;
  /** Starts the server again on the same port. */
  start(): void;
  /** Stops the server permanently and removes its files. */
  end(): void;
}

/** Returns the folder of the PostgreSQL programs, or `null` if there is none. Throws in CI if it is missing. */
export function postgresPrograms(): string | null {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).toSorted((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env['PATH'] ?? '').split(':');
  const folders = [stdout?.trim() ?? '', ...versions.map((version) => join(packaged, version, 'bin')), ...onPath];
  const found = folders.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
  if (found === undefined && process.env['CI'] === 'true') {
    throw new Error('PostgreSQL is not installed, and in CI it must be: apt-get install postgresql.');
  }
  return found ?? null;
}

/**
 * Starts a separate PostgreSQL in a temporary folder and waits until it responds. `syncs` enables writes through to the
 * disk, which tests do not need, because no test outlives the machine.
 *
 * @param programs - Folder of the PostgreSQL programs.
 */
export async function startPostgres(programs: string, { syncs = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-postgres-'));
  const data = join(folder, 'data');
  const identity = process.getuid?.() === 0 ? readAccount() : null;
  if (identity !== null) chownSync(folder, identity.uid, identity.gid);
  chmodSync(folder, 0o700);
  const run = (program: string, args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(join(programs, program), args, {
      ...identity,
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`, { cause: error });
  };
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=${syncs ? 'on' : 'off'} -k ${folder}`;
  const start = (): void => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync']);
  start();
  const createUrl = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`;
  let made = 0;
  return {
    database: async () => {
      made += 1;
      const name = `test_${made}`;
      await runSql(createUrl('postgres'), `CREATE DATABASE ${name}`);
      return createUrl(name);
    },
    crash: () => run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']),
    start,
    end: () => {
      try {
        run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      } catch {
        // The test has already stopped the server.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs SQL statements on a database and returns the rows of the last one. */
export async function runSql(address: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const result = await client.query(sql);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return last.rows;
  } finally {
    await client.end();
  }
}

/** Returns the numbers of the account that runs the server in place of root. */
function readAccount(): { readonly uid: number; readonly gid: number } {
  const readNumber = (kind: string): number => Number(execFileSync('id', [kind, account], { encoding: 'utf8' }));
  return { uid: readNumber('-u'), gid: readNumber('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
