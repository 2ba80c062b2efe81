import type { Client, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { randomId } from '../../core/ids.ts';
import { connectionTo, type PostgresModules } from './postgres-modules.ts';

/** Rows of one write statement, column by column. */
export interface WrittenRows {
  readonly entries: {
    readonly sandbox: number[];
    readonly seq: number[];
    readonly atMs: number[];
    readonly type: string[];
    readonly body: string[];
  };
  readonly kept: readonly {
    readonly sandbox: number;
    readonly name: string;
    readonly value: string | null;
    readonly mark: number;
  }[];
}

/** Signal from another process: its message, the number of the sandbox, and the sender. */
export interface Signal {
  readonly word: 'want' | 'free' | 'gone' | 'here' | 'wrote';
  readonly sandbox: number;
}

/** Start of the name of a session that states the URL of its process. */
const advertisedPrefix = 'nudgelab ';

/** Timeout in milliseconds for copying the journal of a sandbox. */
const copyTimeoutMs = 1_800_000;

/**
 * Session settings. The keepalive values, in seconds and tries, let the server detect a lost client and release its
 * leases.
 */
const settings = `
  SET synchronous_commit = on; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;

const insertEntries = `INSERT INTO entry (sandbox, seq, at_ms, type, body)
  SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::text[], $5::text[])`;

const tellWritten =
  "SELECT pg_notify($6 || '_' || sandbox, $7) FROM (SELECT DISTINCT unnest($1::int[]) AS sandbox) AS w";

const upsertKept = `INSERT INTO kept (sandbox, name, value, mark)
  SELECT * FROM unnest($8::int[], $9::text[], $10::text[], $11::bigint[])
  ON CONFLICT (sandbox, name) DO UPDATE SET value = excluded.value, mark = excluded.mark`;

/**
 * Connection for all writes of a process, with a second connection for signals. The session locks sandboxes, and every
 * write uses the same session. A process that loses the connection therefore loses its locks, and its pending writes
 * are rolled back. A delayed process can never overwrite the changes of another one.
 */
export class PostgresSession {
  readonly #client: Client;
  readonly #ear: Client;
  /** Class of this store's locks, which separates them from those of other stores in the same database. */
  readonly #lockClass: number;
  readonly #channel: string;
  readonly #self = randomId();
  readonly #writing = new OneByOne();
  readonly #following = new OneByOne();
  #ended = false;

  /**
   * Connects to the database. One callback receives signals; the other is called once when the session ends. Rejects
   * with the error of the driver.
   */
  static async open(
    { pg }: PostgresModules,
    address: string,
    hears: { readonly signal: (signal: Signal) => void; readonly ended: (cause: unknown) => void },
  ): Promise<PostgresSession> {
    const clients = [new pg.Client(connectionTo(address)), new pg.Client(connectionTo(address))] as const;
    // Without a listener, a connection error would end the process.
    for (const client of clients) client.on('error', () => undefined);
    try {
      await Promise.all(clients.map((client) => client.connect()));
      await clients[0].query(settings);
      const { rows } = await clients[0].query<{ readonly class: number }>(
        "SELECT ('entry'::regclass::oid::bigint & 2147483647)::int AS class",
      );
      const session = new PostgresSession(clients, rows[0]?.class ?? 0);
      await session.#hear(hears);
      return session;
    } catch (error) {
      for (const client of clients) client.end().catch(() => undefined);
      throw error;
    }
  }

  private constructor([client, ear]: readonly [Client, Client], lockClass: number) {
    this.#client = client;
    this.#ear = ear;
    this.#lockClass = lockClass;
    this.#channel = `nudgelab_${lockClass}`;
  }

  /**
   * Writes rows in one transaction and notifies the followers of these sandboxes. Resolves when the rows are durable.
   */
  async write({ entries, kept }: WrittenRows): Promise<void> {
    const { sandbox, seq, atMs, type, body } = entries;
    const values = [sandbox, seq, atMs, type, body, this.#channel, this.#self];
    if (kept.length === 0) {
      const text = `WITH e AS (${insertEntries}) ${tellWritten}`;
      await this.#ask({ name: 'write-entries', text, values });
      return;
    }
    const text = `WITH e AS (${insertEntries}), k AS (${upsertKept}) ${tellWritten}`;
    const keptValues = [
      kept.map((row) => row.sandbox),
      kept.map(({ name }) => name),
      kept.map(({ value }) => value),
      kept.map(({ mark }) => mark),
    ];
    await this.#ask({ name: 'write-kept', text, values: [...values, ...keptValues] });
  }

  /** Creates a sandbox and locks it for this session. Returns its number, or `null` if the id exists. */
  async begin(id: string): Promise<number | null> {
    const text = `WITH made AS (INSERT INTO sandbox (id) VALUES ($1) ON CONFLICT (id) DO NOTHING RETURNING number)
      SELECT number, pg_advisory_lock($2, number) FROM made`;
    const { rows } = await this.#ask<{ readonly number: number }>({ text, values: [id, this.#lockClass] });
    return rows[0]?.number ?? null;
  }

  /** Locks an available sandbox, or notifies the process with the lock. Returns `true` if it is locked. */
  async lock(number: number): Promise<boolean> {
    const text = `SELECT locked, CASE WHEN NOT locked THEN pg_notify($3, $4)::text END AS told
      FROM (SELECT pg_try_advisory_lock($1, $2) AS locked OFFSET 0) AS tried`;
    const values = [this.#lockClass, number, this.#channel, `want ${number} ${this.#self}`];
    const { rows } = await this.#ask<{ readonly locked: boolean }>({ name: 'lock', text, values });
    return rows[0]?.locked === true;
  }

  /** Unlocks a sandbox and notifies waiting processes. */
  async unlock(number: number): Promise<void> {
    const text = 'SELECT pg_advisory_unlock($1, $2), pg_notify($3, $4)';
    const values = [this.#lockClass, number, this.#channel, `free ${number} ${this.#self}`];
    await this.#ask({ name: 'unlock', text, values });
  }

  /**
   * Ends the session of a process that has the lock of a sandbox but does not respond, such as a suspended one. All its
   * locks are released, and the process notices when it resumes.
   */
  async evict(number: number): Promise<void> {
    const text = `SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await this.#ask({ text, values: [this.#lockClass, number] });
  }

  /** States the URL of this process as the name of the session that has the locks. */
  async advertise(url: string): Promise<void> {
    await this.#ask({
      text: "SELECT set_config('application_name', $1, false)",
      values: [`${advertisedPrefix}${url}`],
    });
  }

  /** Returns the stated URL of the process with the lock of a sandbox, or `null` if there is none. */
  async findHolder(number: number): Promise<string | null> {
    const text = `SELECT activity.application_name AS name FROM pg_locks AS held
      JOIN pg_stat_activity AS activity ON activity.pid = held.pid
      WHERE held.locktype = 'advisory' AND held.classid = $1 AND held.objid = $2 AND held.granted
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const values = [this.#lockClass, number];
    const { rows } = await this.#ask<{ readonly name: string | null }>({ name: 'find-holder', text, values });
    const name = rows[0]?.name ?? '';
    return name.startsWith(advertisedPrefix) ? name.slice(advertisedPrefix.length) : null;
  }

  /** Checks whether the connection still works. */
  async ping(): Promise<void> {
    await this.#ask({ text: 'SELECT 1' });
  }

  /** Returns the changes of other processes to a locked sandbox, as rows of one format with a `kind`. */
  async changes(number: number, seq: number, mark: number, limit: number): Promise<readonly ChangeRow[]> {
    const text = `SELECT 'place' AS kind, coalesce((SELECT max(seq) FROM entry WHERE sandbox = number), 0) AS a,
          coalesce((SELECT max(mark) FROM kept WHERE sandbox = number), 0) AS b, kept_floor::text AS c,
          (SELECT max(seq)::text FROM snapshot WHERE sandbox = number AND name = '') AS d
        FROM sandbox WHERE number = $1
      UNION ALL
      (SELECT 'entry', seq, at_ms, type, body FROM entry WHERE sandbox = $1 AND seq > $2 ORDER BY seq LIMIT $4)
      UNION ALL
      SELECT 'kept', 0, mark, name, value FROM kept WHERE sandbox = $1 AND mark > $3
      UNION ALL
      SELECT 'servers', count(*)::int, 0, coalesce(max(said_at)::text, ''), NULL FROM server`;
    const values = [number, seq, mark, limit];
    return (await this.#ask<ChangeRow>({ name: 'changes', text, values })).rows;
  }

  /** Runs a statement on the session with the locks. */
  async run(text: string, values: readonly unknown[]): Promise<number> {
    const { rowCount } = await this.#ask({ text, values: [...values], query_timeout: copyTimeoutMs });
    return rowCount ?? 0;
  }

  /** Removes a locked sandbox with all its data and notifies the other processes. */
  async remove(number: number): Promise<void> {
    await this.run('DELETE FROM sandbox WHERE number = $1', [number]);
    await this.run('SELECT pg_advisory_unlock($1, $2), pg_notify($3, $4), pg_notify($3, $5)', [
      this.#lockClass,
      number,
      this.#channel,
      `gone ${number} ${this.#self}`,
      `free ${number} ${this.#self}`,
    ]);
  }

  /** Notifies the other processes that this process has announced its base URL. */
  async tellHere(): Promise<void> {
    await this.run('SELECT pg_notify($1, $2)', [this.#channel, `here 0 ${this.#self}`]);
  }

  /** Starts or stops following the changes of other processes in a sandbox. */
  async follow(number: number, on: boolean): Promise<void> {
    await this.#following.run(() => this.#ear.query(`${on ? 'LISTEN' : 'UNLISTEN'} ${this.#channel}_${number}`));
  }

  /** Ends the session and releases its locks. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled([this.#client.end(), this.#ear.end()]);
  }

  /** Sends a statement after the previous one has completed, because a connection handles them sequentially. */
  #ask<Row extends QueryResultRow>(config: TimedStatement): Promise<QueryResult<Row>> {
    return this.#writing.run(() => this.#client.query<Row>(config));
  }

  async #hear({ signal, ended }: Parameters<typeof PostgresSession.open>[2]): Promise<void> {
    const onEnd = (cause: unknown): void => {
      if (this.#ended) return;
      this.#ended = true;
      ended(cause);
    };
    for (const client of [this.#client, this.#ear]) {
      client.on('error', onEnd);
      client.on('end', () => onEnd(new Error('the connection was closed')));
    }
    this.#ear.on('notification', ({ channel, payload = '' }) => {
      const heard = parseSignal(this.#channel, channel, payload, this.#self);
      if (heard !== null) signal(heard);
    });
    await this.#ear.query(`LISTEN ${this.#channel}`);
  }
}

/** Statement with an optional timeout in milliseconds. */
interface TimedStatement extends QueryConfig {
  readonly query_timeout?: number;
}

/** Runs tasks sequentially, in order of arrival. */
class OneByOne {
  #latest: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#latest.then(task, task);
    this.#latest = run;
    return run;
  }
}

/** Row of a change; the meaning of its columns depends on its `kind`. */
export interface ChangeRow {
  readonly kind: 'place' | 'entry' | 'kept' | 'servers';
  readonly a: number;
  readonly b: string;
  readonly c: string;
  readonly d: string | null;
}

/** Converts a notification to a signal; `null` if this process sent it. */
function parseSignal(own: string, channel: string, payload: string, self: string): Signal | null {
  if (channel !== own)
    return payload === self ? null : { word: 'wrote', sandbox: Number(channel.slice(own.length + 1)) };
  const [word, number, by] = payload.split(' ');
  if (by === self) return null;
  return { word: word as Signal['word'], sandbox: Number(number) };
}
