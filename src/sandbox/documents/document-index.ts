import type { DatabaseSync } from 'node:sqlite';
import { indexWaitMsMax } from '../../contract/document-limits.ts';
import { afterPendingInput } from '../../core/clock.ts';
import { RecentMap } from '../../core/recent-map.ts';
import {
  type DocumentRecord,
  type DocumentsState,
  isPending,
  pagesOf,
  shownPagesOf,
} from '../../journal/document-state.ts';
import { type ForgettableIndex, indexRoom } from './index-room.ts';
import { Lateness } from './index-wait.ts';

/** Where the index finds what it indexes. */
export interface IndexSource {
  documents(): DocumentsState;
  /** A record by its id; `null` where it is not there. */
  record(id: number): DocumentRecord | null;
  /** The texts of the pages of a record, in order. */
  texts(record: DocumentRecord): Promise<readonly string[]>;
}

/** What a list of documents is narrowed by. */
export interface DocumentFilter {
  readonly ids?: readonly number[];
  readonly tag?: string;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
  readonly publicbody?: number;
  readonly foirequest?: number;
  /** An expression of the full-text index. */
  readonly match?: string;
  /** Whose own records are listed too. */
  readonly owner?: string;
}

/** Where a page stands. */
export interface PagePlace {
  readonly documentId: number;
  readonly number: number;
}

/** What a list of pages is narrowed by. */
export interface PageFilter {
  readonly documentId?: number;
  readonly number?: number;
  readonly match?: string;
  /** Whether private and unlisted documents are searched too; for whoever runs the sandbox. */
  readonly whole?: boolean;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A row of the page index names document and page: more than the pages of one document. */
const pageRoom = 4_096;

/** Records that are indexed before others get a turn. */
const sliceRecords = 200;

const totalsHeld = 1_000;

const schema = `
  CREATE TABLE docs (id INTEGER PRIMARY KEY, created INTEGER, publicbody INTEGER, foirequest INTEGER, listable INTEGER,
    owner TEXT, pages INTEGER, version TEXT, paged TEXT) STRICT;
  CREATE INDEX unlisted ON docs (id) WHERE listable <> 1;
  CREATE TABLE tags (tag TEXT, id INTEGER, PRIMARY KEY (tag, id)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE docs_text USING fts5(title, description, content='', contentless_delete=1,
    tokenize='unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE pages_text USING fts5(content, content='', contentless_delete=1,
    tokenize='unicode61 remove_diacritics 2');
`;

/**
 * The lists and the full-text search of one sandbox: an index in memory that follows the folded state and can be forgotten at
 * any time. It is made when the first list is asked for, a slice at a time.
 */
export class DocumentIndex implements ForgettableIndex {
  readonly #source: IndexSource;
  readonly #waitMsMax: number;
  #db: DatabaseSync | null = null;
  /** The state that was indexed, and its revision then. */
  #of: DocumentsState | null = null;
  #revision = -1;
  #pagesRevision = -1;
  #working: Promise<void> = Promise.resolve();
  /** How many have asked to bring it up to date and are not through. */
  #workers = 0;
  #totals: RecentMap<string, number> | undefined;

  /** Takes where it finds what it indexes, and how long whoever asks waits for it, in ms of real time. */
  constructor(source: IndexSource, waitMsMax = indexWaitMsMax) {
    this.#source = source;
    this.#waitMsMax = waitMsMax;
  }

  /** Ids of the documents of a list, in order, and how many there are in all. Throws `server-busy` while the index is being made. */
  async documents(filter: DocumentFilter, { limit, offset }: Window): Promise<Rows<number>> {
    const db = await this.#synced(false);
    const { where, values } = documentConditions(filter);
    const total = this.#total(db, `SELECT count(*) AS total FROM docs WHERE ${where}`, values);
    const sql = `SELECT id FROM docs WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`;
    const rows = db.prepare(sql).all(...values, limit, offset) as unknown as readonly { readonly id: number }[];
    return { rows: rows.map(({ id }) => id), total };
  }

  /** Pages of all listed documents, or of one document whatever it is, in order of document and number. */
  async pages(filter: PageFilter, window: Window): Promise<Rows<PagePlace>> {
    if (filter.match !== undefined) return this.#search(await this.#synced(true), filter, filter.match, window);
    const db = await this.#synced(false);
    const sql =
      filter.documentId === undefined
        ? 'SELECT id, pages FROM docs WHERE listable = 1 ORDER BY id'
        : 'SELECT id, pages FROM docs WHERE id = ?';
    const values = filter.documentId === undefined ? [] : [filter.documentId];
    return placesIn(
      db.prepare(sql).iterate(...values) as unknown as Iterable<{ readonly id: number; readonly pages: number }>,
      filter.number,
      window,
    );
  }

  /** Gives its memory back; the next who asks has it made anew. Whoever was handed it has used it before anything is closed. */
  forget(): boolean {
    if (this.#workers > 0) return false;
    const db = this.#db;
    this.#db = null;
    this.#totals?.clear();
    afterPendingInput(() => db?.close());
    return true;
  }

  #search(
    db: DatabaseSync,
    { documentId, number, whole = false }: PageFilter,
    match: string,
    window: Window,
  ): Rows<PagePlace> {
    const conditions = ['pages_text MATCH ?'];
    const values: (string | number)[] = [match];
    if (documentId === undefined) {
      if (!whole && this.#total(db, 'SELECT count(*) AS total FROM docs WHERE listable <> 1', []) > 0) {
        conditions.push(`rowid / ${pageRoom} NOT IN (SELECT id FROM docs WHERE listable <> 1)`);
      }
    } else {
      conditions.push('rowid BETWEEN ? AND ?');
      values.push(documentId * pageRoom, documentId * pageRoom + pageRoom - 1);
    }
    if (number !== undefined) {
      conditions.push(`rowid % ${pageRoom} = ?`);
      values.push(number);
    }
    const where = conditions.join(' AND ');
    const total = this.#total(db, `SELECT count(*) AS total FROM pages_text WHERE ${where}`, values);
    const sql = `SELECT rowid AS place FROM pages_text WHERE ${where} ORDER BY rowid LIMIT ? OFFSET ?`;
    const rows = db.prepare(sql).all(...values, window.limit, window.offset) as unknown as readonly {
      readonly place: number;
    }[];
    return {
      rows: rows.map(({ place }) => ({ documentId: Math.floor(place / pageRoom), number: place % pageRoom })),
      total,
    };
  }

  /** How many rows there are, remembered until anything changes. */
  #total(db: DatabaseSync, sql: string, values: readonly (string | number)[]): number {
    const key = JSON.stringify([sql, values]);
    const known = this.#totals?.get(key);
    if (known !== undefined) return known;
    const { total } = db.prepare(sql).get(...values) as { readonly total: number };
    this.#totals ??= new RecentMap({ max: totalsHeld });
    this.#totals.set(key, total);
    return total;
  }

  /**
   * The index as of now. Whoever comes while it is brought up to date waits, and looks again; after a while he is told to come
   * back, and it goes on.
   */
  async #synced(withPages: boolean): Promise<DatabaseSync> {
    const late = new Lateness(this.#waitMsMax);
    try {
      for (;;) {
        const documents = this.#source.documents();
        const isCurrent = documents === this.#of && documents.revision === this.#revision;
        if (this.#db !== null && isCurrent && (!withPages || this.#pagesRevision === this.#revision)) return this.#db;
        this.#workers += 1;
        const working = this.#working
          .then(() => this.#bringUpToDate(withPages))
          .finally(() => {
            this.#workers -= 1;
          });
        this.#working = working.catch(() => undefined);
        await Promise.race([working, late.passed]);
      }
    } finally {
      late.cancel();
    }
  }

  async #bringUpToDate(withPages: boolean): Promise<void> {
    const documents = this.#source.documents();
    const db = await this.#database(documents);
    const { revision } = documents;
    const isStale = revision !== this.#revision;
    const arePagesStale = withPages && this.#pagesRevision !== revision;
    if (isStale) {
      await this.#indexDocuments(db, documents);
      this.#revision = revision;
    }
    if (arePagesStale) {
      await this.#indexPages(db);
      this.#pagesRevision = revision;
    }
    if (!isStale && !arePagesStale) return;
    this.#totals?.clear();
    indexRoom.note(this, rowsIn(db));
  }

  /** The database; another state than before, such as a restored one, is indexed from the beginning. */
  async #database(documents: DocumentsState): Promise<DatabaseSync> {
    if (this.#db !== null && this.#of === documents) return this.#db;
    // Loaded when the first list is asked for: most sandboxes have no documents.
    const { DatabaseSync: Database } = await import('node:sqlite');
    this.#db?.close();
    this.#db = new Database(':memory:');
    this.#db.exec(schema);
    this.#of = documents;
    this.#revision = -1;
    this.#pagesRevision = -1;
    return this.#db;
  }

  async #indexDocuments(db: DatabaseSync, documents: DocumentsState): Promise<void> {
    const versions = new Map<number, string>();
    for (const { id, version } of db.prepare('SELECT id, version FROM docs').iterate() as Iterable<
      Record<string, unknown>
    >) {
      versions.set(Number(id), String(version));
    }
    for (const id of Object.keys(documents.removed)) if (versions.has(Number(id))) removeDocument(db, Number(id));
    const insert = documentInserter(db);
    await inSlices(db, idsOf(documents), (id) => {
      const record = documents.records[id];
      const known = versions.get(id);
      // A record of a series that nobody changed is what it was when it was indexed.
      if (known !== undefined && (record === undefined || known === versionOf(record))) return;
      const found = record ?? this.#source.record(id);
      if (found === null) return;
      if (known !== undefined) removeDocument(db, id, true);
      insert(found, known === undefined ? null : pagedOf(db, id));
    });
  }

  async #indexPages(db: DatabaseSync): Promise<void> {
    const stale = db
      .prepare('SELECT id, paged FROM docs WHERE paged IS NOT version ORDER BY id')
      .all() as unknown as readonly {
      readonly id: number;
      readonly paged: string | null;
    }[];
    const add = db.prepare('INSERT INTO pages_text (rowid, content) VALUES (?, ?)');
    const note = db.prepare('UPDATE docs SET paged = ? WHERE id = ?');
    const clear = db.prepare('DELETE FROM pages_text WHERE rowid = ?');
    await inSlices(db, stale, async ({ id, paged }) => {
      const record = this.#source.record(id);
      if (record === null) return;
      for (let page = 1; paged !== null && page <= pagesOf(record); page += 1) clear.run(id * pageRoom + page);
      const texts = await this.#source.texts(record);
      const shown = shownPagesOf(record);
      texts.slice(0, shown).forEach((text, index) => {
        add.run(id * pageRoom + index + 1, text);
      });
      note.run(versionOf(record), id);
    });
  }
}

/** Records and pages that are indexed. */
function rowsIn(db: DatabaseSync): number {
  const sql = 'SELECT count(*) + coalesce(sum(CASE WHEN paged IS NULL THEN 0 ELSE pages END), 0) AS total FROM docs';
  return (db.prepare(sql).get() as { readonly total: number }).total;
}

/** Does something for each item, in a transaction between which other work goes on. */
async function inSlices<T>(
  db: DatabaseSync,
  items: Iterable<T>,
  work: (item: T) => void | Promise<void>,
): Promise<void> {
  let done = 0;
  db.exec('BEGIN');
  try {
    for (const item of items) {
      const pending = work(item);
      if (pending !== undefined) await pending;
      done += 1;
      if (done % sliceRecords !== 0) continue;
      await new Promise<void>((resolve) => {
        afterPendingInput(resolve);
      });
    }
  } finally {
    db.exec('COMMIT');
  }
}

function* idsOf({ series, records, removed }: DocumentsState): Generator<number, void> {
  for (const { firstId, count } of series) {
    for (let id = firstId; id < firstId + count; id += 1) if (!(id in removed)) yield id;
  }
  for (const id of Object.keys(records)) yield Number(id);
}

function versionOf({ changedBySeq, state, processed }: DocumentRecord): string {
  return `${changedBySeq} ${state} ${processed}`;
}

function documentInserter(db: DatabaseSync): (record: DocumentRecord, paged: string | null) => void {
  const row = db.prepare('INSERT OR REPLACE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const text = db.prepare('INSERT INTO docs_text (rowid, title, description) VALUES (?, ?, ?)');
  const tag = db.prepare('INSERT OR IGNORE INTO tags VALUES (?, ?)');
  return (record, paged) => {
    const { id, createdAtMs, publicbody, foirequest, owner, title, description, tags } = record;
    const listable = isListed(record) ? 1 : isPending(record) ? -1 : 0;
    const pages = shownPagesOf(record);
    row.run(id, createdAtMs, publicbody, foirequest, listable, owner, pages, versionOf(record), paged);
    text.run(id, title, description);
    for (const word of tags) tag.run(word, id);
  };
}

/** Everybody sees what is public and listed; what is pending is in no list. */
function isListed(record: DocumentRecord): boolean {
  return record.public && record.listed && !isPending(record);
}

function pagedOf(db: DatabaseSync, id: number): string | null {
  const row = db.prepare('SELECT paged FROM docs WHERE id = ?').get(id) as
    | { readonly paged: string | null }
    | undefined;
  return row?.paged ?? null;
}

/** Takes a document out of the index; one that is to come back keeps the row that tells of its pages. */
function removeDocument(db: DatabaseSync, id: number, comesBack = false): void {
  db.prepare('DELETE FROM docs_text WHERE rowid = ?').run(id);
  db.prepare('DELETE FROM tags WHERE id = ?').run(id);
  if (comesBack) return;
  db.prepare('DELETE FROM docs WHERE id = ?').run(id);
  db.prepare('DELETE FROM pages_text WHERE rowid BETWEEN ? AND ?').run(id * pageRoom, id * pageRoom + pageRoom - 1);
}

function documentConditions(filter: DocumentFilter): { readonly where: string; readonly values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...more: readonly (string | number)[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (filter.owner === undefined) add('listable = 1');
  else add('(listable = 1 OR (listable = 0 AND owner = ?))', filter.owner);
  if (filter.ids !== undefined) add(`id IN (${filter.ids.map(() => '?').join()})`, ...filter.ids);
  if (filter.tag !== undefined) add('id IN (SELECT id FROM tags WHERE tag = ?)', filter.tag);
  if (filter.createdAfterMs !== undefined) add('created >= ?', filter.createdAfterMs);
  if (filter.createdBeforeMs !== undefined) add('created <= ?', filter.createdBeforeMs);
  if (filter.publicbody !== undefined) add('publicbody = ?', filter.publicbody);
  if (filter.foirequest !== undefined) add('foirequest = ?', filter.foirequest);
  if (filter.match !== undefined) add('id IN (SELECT rowid FROM docs_text WHERE docs_text MATCH ?)', filter.match);
  return { where: conditions.join(' AND '), values };
}

function placesIn(
  documents: Iterable<{ readonly id: number; readonly pages: number }>,
  number: number | undefined,
  { limit, offset }: Window,
): Rows<PagePlace> {
  const rows: PagePlace[] = [];
  let total = 0;
  for (const { id, pages } of documents) {
    const count = number === undefined ? pages : number <= pages ? 1 : 0;
    for (let index = Math.max(0, offset - total); index < count && rows.length < limit; index += 1) {
      rows.push({ documentId: id, number: number ?? index + 1 });
    }
    total += count;
  }
  return { rows, total };
}
