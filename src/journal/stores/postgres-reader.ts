import type { Kysely } from 'kysely';
import { NudgeLabError } from '../../core/errors.ts';
import type { AnnouncedAddress } from '../../core/served-address.ts';
import type { JournalEntry, JournalEvent } from '../journal-event.ts';
import type { EntryQuery, SnapshotPlace, StoredSnapshot } from '../store.ts';
import { sandboxNotFound } from './journal-store-errors.ts';
import { connectionTo, findErrorCode, type PostgresModules, tellableAddress, unavailable } from './postgres-modules.ts';
import type { PostgresTables } from './postgres-schema.ts';

/** Maximum number of connections, in addition to the one that writes. */
const connectionsMax = 4;

/** Number of characters per part of a snapshot. */
const partCharacters = 1_048_576;

/** Maximum number of addresses of servers that are read, the latest first. */
const addressesMax = 256;

/** Upper limit of rows in any query. */
const rowsMax = 2_147_483_647;

/** PostgreSQL error code for a row whose sandbox does not exist. */
const foreignKeyViolation = '23503';

const placeColumns = ['snapshot.name', 'snapshot.seq', 'snapshot.at_ms', 'snapshot.digest'] as const;

interface PlaceRow {
  readonly name: string;
  readonly seq: number;
  readonly at_ms: string | number;
  readonly digest: string;
}

/**
 * Reads a PostgreSQL store, and writes data that needs no lock: snapshots and addresses of servers. All methods throw
 * `store-unavailable`.
 */
export class PostgresReader {
  readonly #address: string;
  readonly #db: Kysely<PostgresTables>;

  /** Creates a reader for the database at an address. */
  constructor({ pg, kysely }: PostgresModules, address: string) {
    this.#address = address;
    const pool = new pg.Pool({ ...connectionTo(address), max: connectionsMax });
    // The pool replaces connections that break. What a query waits for is rejected, and the error is emitted besides.
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    this.#db = new kysely.Kysely<PostgresTables>({ dialect: new kysely.PostgresDialect({ pool }) });
  }

  /** Returns the number of a sandbox; `null` if it does not exist. */
  async findNumber(sandboxId: string): Promise<number | null> {
    const row = await this.ask((db) =>
      db.selectFrom('sandbox').select('number').where('id', '=', sandboxId).executeTakeFirst(),
    );
    return row?.number ?? null;
  }

  /** Returns entries of one journal. */
  async entries(sandboxId: string, { after, limit, type }: EntryQuery): Promise<readonly JournalEntry[]> {
    const number = await this.findNumber(sandboxId);
    if (number === null) return [];
    const rows = await this.ask((db) => {
      const all = db.selectFrom('entry').select(['seq', 'at_ms', 'type', 'body']).where('sandbox', '=', number);
      const ofType = type === undefined ? all : all.where('type', '=', type);
      return ofType
        .where('seq', '>', Math.min(after, rowsMax))
        .orderBy('seq')
        .limit(Math.min(limit, rowsMax))
        .execute();
    });
    return rows.map(({ seq, at_ms, type: kind, body }) => ({
      seq,
      atMs: Number(at_ms),
      event: { type: kind, ...JSON.parse(body) } as JournalEvent,
    }));
  }

  /** Returns the sequence number of the last entry; 0 if there is none. */
  async lastSeq(sandboxId: string): Promise<number> {
    const row = await this.ask((db) =>
      db
        .selectFrom('sandbox')
        .innerJoin('entry', 'entry.sandbox', 'sandbox.number')
        .select((query) => query.fn.max('entry.seq').as('seq'))
        .where('sandbox.id', '=', sandboxId)
        .executeTakeFirst(),
    );
    return row?.seq ?? 0;
  }

  /** Lists the ids of all sandboxes with at least one entry, in order of creation. */
  async sandboxIds(): Promise<readonly string[]> {
    const rows = await this.ask((db) =>
      db
        .selectFrom('sandbox')
        .innerJoin('entry', 'entry.sandbox', 'sandbox.number')
        .select('sandbox.id')
        .where('entry.seq', '=', 1)
        .orderBy('sandbox.number')
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the numbers of all sandboxes and of their last entries as texts, in order of creation. */
  async versions(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.ask((db) =>
      db
        .selectFrom('sandbox')
        .select((sandbox) => [
          'sandbox.id',
          'sandbox.number',
          sandbox
            .selectFrom('entry')
            .whereRef('entry.sandbox', '=', 'sandbox.number')
            .select((entry) => entry.fn.max('entry.seq').as('seq'))
            .as('seq'),
        ])
        .orderBy('sandbox.number')
        .execute(),
    );
    return new Map(rows.flatMap(({ id, number, seq }) => (seq === null ? [] : [[id, `${number}.${seq}`] as const])));
  }

  /** Returns a snapshot by name. Throws `store-corrupt` if a part is missing. */
  async snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    const rows = await this.ask((db) =>
      db
        .selectFrom('snapshot')
        .innerJoin('sandbox', 'sandbox.number', 'snapshot.sandbox')
        .innerJoin('snapshot_part', 'snapshot_part.snapshot', 'snapshot.id')
        .select([...placeColumns, 'snapshot.parts', 'snapshot_part.text'])
        .where('sandbox.id', '=', sandboxId)
        .where('snapshot.name', '=', name)
        .orderBy('snapshot_part.number')
        .execute(),
    );
    const [first] = rows;
    if (first === undefined) return null;
    if (rows.length !== first.parts) {
      throw new NudgeLabError('store-corrupt', {
        message: `${tellableAddress(this.#address)}: snapshot "${name}" of sandbox ${sandboxId} has only ${rows.length} of ${first.parts} parts.`,
      });
    }
    return { ...toPlace(first), state: rows.map(({ text }) => text).join('') };
  }

  /** Lists the positions of all snapshots, by name. */
  async snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]> {
    const rows = await this.ask((db) =>
      db
        .selectFrom('snapshot')
        .innerJoin('sandbox', 'sandbox.number', 'snapshot.sandbox')
        .select(placeColumns)
        .where('sandbox.id', '=', sandboxId)
        .orderBy('snapshot.name')
        .execute(),
    );
    return rows.map(toPlace);
  }

  /**
   * Stores a snapshot in one transaction, unless a later one exists. The number of the sandbox is optional. Throws
   * `sandbox-not-found`.
   */
  async saveSnapshot(
    sandboxId: string,
    { state, name, seq, atMs, digest }: StoredSnapshot,
    known?: number,
  ): Promise<void> {
    const sandbox = known ?? (await this.findNumber(sandboxId));
    if (sandbox === null) throw sandboxNotFound(sandboxId);
    const texts = splitParts(state);
    const place = { seq, at_ms: atMs, digest, parts: texts.length };
    await this.ask((db) =>
      db.transaction().execute(async (transaction) => {
        // The row lock makes concurrent writes of the same snapshot sequential.
        const row = await transaction
          .insertInto('snapshot')
          .values({ sandbox, name, ...place })
          .onConflict((conflict) =>
            conflict.columns(['sandbox', 'name']).doUpdateSet(place).where('snapshot.seq', '<=', seq),
          )
          .returning('id')
          .executeTakeFirst();
        if (row === undefined) return;
        const { id } = row;
        await transaction.deleteFrom('snapshot_part').where('snapshot', '=', id).execute();
        for (const [number, text] of texts.entries()) {
          await transaction.insertInto('snapshot_part').values({ snapshot: id, number, text }).execute();
        }
      }),
    ).catch((error: unknown) => {
      const gone = findErrorCode(error instanceof Error ? error.cause : null) === foreignKeyViolation;
      throw gone ? sandboxNotFound(sandboxId) : error;
    });
  }

  /** Returns a stored value. */
  async kept(sandboxId: string, name: string): Promise<string | null> {
    const row = await this.ask((db) =>
      db
        .selectFrom('kept')
        .innerJoin('sandbox', 'sandbox.number', 'kept.sandbox')
        .select('kept.value')
        .where('sandbox.id', '=', sandboxId)
        .where('kept.name', '=', name)
        .executeTakeFirst(),
    );
    return row?.value ?? null;
  }

  /** Returns all stored values with a name prefix, by name. */
  async keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.ask((db) =>
      db
        .selectFrom('kept')
        .innerJoin('sandbox', 'sandbox.number', 'kept.sandbox')
        .select(['kept.name', 'kept.value'])
        .where('sandbox.id', '=', sandboxId)
        .where('kept.name', '>=', beginning)
        .where('kept.name', '<', `${beginning}\u{10ffff}`)
        .where('kept.value', 'is not', null)
        .orderBy('kept.name')
        .execute(),
    );
    return new Map(rows.map(({ name, value }) => [name, value ?? '']));
  }

  /** Stores the addresses of a server. */
  async saveAddresses(addresses: readonly AnnouncedAddress[]): Promise<void> {
    await this.ask((db) =>
      db
        .insertInto('server')
        .values(addresses.map((address) => ({ base_url: writeAddress(address) })))
        .onConflict((conflict) =>
          conflict.column('base_url').doUpdateSet((query) => ({ said_at: query.fn<string>('now', []) })),
        )
        .execute(),
    );
  }

  /** Lists the addresses of servers, latest first. */
  async listAddresses(): Promise<readonly AnnouncedAddress[]> {
    const rows = await this.ask((db) =>
      db.selectFrom('server').select('base_url').orderBy('said_at', 'desc').limit(addressesMax).execute(),
    );
    return rows.map(({ base_url }) => readAddress(base_url));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#db.destroy();
  }

  /** Runs a database query. */
  async ask<T>(ask: (db: Kysely<PostgresTables>) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#db);
    } catch (cause) {
      throw unavailable(this.#address, cause);
    }
  }
}

/** Separates the URL of a port from its only sandbox. A base URL has no fragment. */
const sandboxMark = '#';

function writeAddress({ baseUrl, sandboxId }: AnnouncedAddress): string {
  return sandboxId === null ? baseUrl : `${baseUrl}${sandboxMark}${sandboxId}`;
}

function readAddress(text: string): AnnouncedAddress {
  const [baseUrl = '', sandboxId = null] = text.split(sandboxMark);
  return { sandboxId, baseUrl };
}

function toPlace({ name, seq, at_ms, digest }: PlaceRow): SnapshotPlace {
  return { name, seq, atMs: Number(at_ms), digest };
}

/** Splits a text into parts, never within a surrogate pair. */
function splitParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > partCharacters) {
    const last = text.charCodeAt(from + partCharacters - 1);
    const to = from + partCharacters - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    parts.push(text.slice(from, to));
    from = to;
  }
  parts.push(text.slice(from));
  return parts;
}
