import type { DatabaseSync } from 'node:sqlite';
import {
  countPages,
  countShownPages,
  type DocumentRecord,
  type DocumentsState,
  isPending,
} from '../../journal/document-state.ts';
import { othersTurn } from './others-turn.ts';
import { tokenizer } from './phrase-words.ts';

/** Source of the indexed data. */
export interface IndexSource {
  documents(): DocumentsState;
  /** Returns the record with an id, or `null` if there is none. */
  record(id: number): DocumentRecord | null;
  /** Returns the page texts of a record, in order. */
  texts(record: DocumentRecord): Promise<readonly string[]>;
}

/** Filter of a document list. */
export interface DocumentFilter {
  readonly ids?: readonly number[];
  readonly tag?: string;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
  readonly publicbody?: number;
  readonly foirequest?: number;
  /** Expression of the full-text index. */
  readonly match?: string;
  /** User whose own records are listed in addition. */
  readonly owner?: string;
}

/** Location of a page. */
export interface PagePlace {
  readonly documentId: number;
  readonly number: number;
}

/** Filter of a page list. */
export interface PageFilter {
  readonly documentId?: number;
  readonly number?: number;
  readonly match?: string;
  /** True to include private and unlisted documents, for the operator of the sandbox. */
  readonly whole?: boolean;
}

/**
 * Factor that combines a document id and a page number into a row id, larger than the maximum number of pages per
 * document.
 */
export const pageRoom = 4_096;

/** Number of records and pages that are indexed before yielding to other work. */
const sliceRows = 500;

const schema = `
  CREATE TABLE docs (id INTEGER PRIMARY KEY, created INTEGER, publicbody INTEGER, foirequest INTEGER, listable INTEGER,
    owner TEXT, pages INTEGER, version TEXT, paged TEXT) STRICT;
  CREATE INDEX unlisted ON docs (id) WHERE listable <> 1;
  CREATE TABLE tags (tag TEXT, id INTEGER, PRIMARY KEY (tag, id)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE docs_text USING fts5(title, description, content='', contentless_delete=1,
    tokenize='${tokenizer}');
  CREATE VIRTUAL TABLE pages_text USING fts5(content, content='', contentless_delete=1,
    tokenize='${tokenizer}');
`;

/**
 * In-memory full-text index of the records in the state: added records, and changed records of a series. The index
 * follows the state and can be discarded at any time. The first request builds the index in slices.
 */
export class RecordIndex {
  readonly #source: Pick<IndexSource, 'documents' | 'texts'>;
  #db: DatabaseSync | null = null;
  /** Indexed state, and its revision at that time. */
  #of: DocumentsState | null = null;
  #revision = -1;
  #pagesRevision = -1;
  #working: Promise<void> = Promise.resolve();
  /** Number of updates that are pending or running. */
  #workers = 0;

  constructor(source: Pick<IndexSource, 'documents' | 'texts'>) {
    this.#source = source;
  }

  /**
   * Updates the index. The update continues even if no caller waits for it. `withPages` also includes the page texts.
   */
  async sync(withPages: boolean): Promise<void> {
    while (!this.isCurrent(withPages)) {
      this.#workers += 1;
      const working = this.#working
        .then(() => this.#bringUpToDate(withPages))
        .finally(() => {
          this.#workers -= 1;
        });
      this.#working = working.catch(() => undefined);
      await working;
    }
  }

  /** Returns true if the index matches the current state. */
  isCurrent(withPages: boolean): boolean {
    const documents = this.#source.documents();
    const isOfNow = this.#db !== null && documents === this.#of && documents.revision === this.#revision;
    return isOfNow && (!withPages || this.#pagesRevision === this.#revision);
  }

  /** Returns the ids of the documents that match a filter, in order. The index must be current. */
  documents(filter: DocumentFilter): readonly number[] {
    const { where, values } = documentConditions(filter);
    return this.#numbers(`SELECT id AS found FROM docs WHERE ${where} ORDER BY id`, values);
  }

  /**
   * Returns the matching pages in order, as id times `pageRoom` plus page number. The index must be current and
   * include pages.
   */
  pages({ documentId, number, whole = false }: PageFilter, match: string): readonly number[] {
    const conditions = ['pages_text MATCH ?'];
    const values: (string | number)[] = [match];
    if (documentId === undefined) {
      if (!whole) conditions.push(`rowid / ${pageRoom} NOT IN (SELECT id FROM docs WHERE listable <> 1)`);
    } else {
      conditions.push('rowid BETWEEN ? AND ?');
      values.push(documentId * pageRoom, documentId * pageRoom + pageRoom - 1);
    }
    if (number !== undefined) {
      conditions.push(`rowid % ${pageRoom} = ?`);
      values.push(number);
    }
    const where = conditions.join(' AND ');
    return this.#numbers(`SELECT rowid AS found FROM pages_text WHERE ${where} ORDER BY rowid`, values);
  }

  /** Returns the number of indexed records and pages. */
  rows(): number {
    return this.#db === null ? 0 : rowsIn(this.#db);
  }

  /** Releases the memory of the index unless it is being built. Returns true if the memory was released. */
  forget(): boolean {
    if (this.#workers > 0) return false;
    this.#db?.close();
    this.#db = null;
    return true;
  }

  #numbers(sql: string, values: readonly (string | number)[]): readonly number[] {
    if (this.#db === null) throw new TypeError('The index was queried before it was created.');
    const rows = this.#db.prepare(sql).all(...values) as unknown as readonly { readonly found: number }[];
    return rows.map(({ found }) => found);
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
  }

  /** Returns the database. A different state, such as a restored one, is indexed from the beginning. */
  async #database(documents: DocumentsState): Promise<DatabaseSync> {
    if (this.#db !== null && this.#of === documents) return this.#db;
    // The module is loaded for the first list request, because most sandboxes have no documents.
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
    await inSlices(db, Object.values(documents.records), (record) => {
      const { id } = record;
      const known = versions.get(id);
      if (known === formatVersion(record)) return 1;
      if (known !== undefined) removeDocument(db, id, true);
      insert(record, known === undefined ? null : findPagedText(db, id));
      return 1;
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
      const record = this.#source.documents().records[id];
      if (record === undefined) return 1;
      for (let page = 1; paged !== null && page <= countPages(record); page += 1) clear.run(id * pageRoom + page);
      const texts = await this.#source.texts(record);
      const pageCount = countShownPages(record);
      texts.slice(0, pageCount).forEach((text, index) => {
        add.run(id * pageRoom + index + 1, text);
      });
      note.run(formatVersion(record), id);
      return pageCount + 1;
    });
  }
}

function rowsIn(db: DatabaseSync): number {
  const sql = 'SELECT count(*) + coalesce(sum(CASE WHEN paged IS NULL THEN 0 ELSE pages END), 0) AS total FROM docs';
  return (db.prepare(sql).get() as { readonly total: number }).total;
}

/**
 * Processes the items in transactions and yields to other work in between. The callback returns the number of rows
 * that it wrote.
 */
async function inSlices<T>(
  db: DatabaseSync,
  items: Iterable<T>,
  work: (item: T) => number | Promise<number>,
): Promise<void> {
  let done = 0;
  db.exec('BEGIN');
  try {
    for (const item of items) {
      const rows = work(item);
      done += typeof rows === 'number' ? rows : await rows;
      if (done < sliceRows) continue;
      done = 0;
      await othersTurn();
    }
  } finally {
    db.exec('COMMIT');
  }
}

function formatVersion({ changedBySeq, state, processed }: DocumentRecord): string {
  return `${changedBySeq} ${state} ${processed}`;
}

function documentInserter(db: DatabaseSync): (record: DocumentRecord, paged: string | null) => void {
  const row = db.prepare('INSERT OR REPLACE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const text = db.prepare('INSERT INTO docs_text (rowid, title, description) VALUES (?, ?, ?)');
  const tag = db.prepare('INSERT OR IGNORE INTO tags VALUES (?, ?)');
  return (record, paged) => {
    const { id, createdAtMs, publicbody, foirequest, owner, title, description, tags } = record;
    const listable = isListed(record) ? 1 : isPending(record) ? -1 : 0;
    const pages = countShownPages(record);
    row.run(id, createdAtMs, publicbody, foirequest, listable, owner, pages, formatVersion(record), paged);
    text.run(id, title, description);
    for (const word of tags) tag.run(word, id);
  };
}

/** Returns true if a record is visible to everyone: public, listed and not pending. */
function isListed(record: DocumentRecord): boolean {
  return record.public && record.listed && !isPending(record);
}

function findPagedText(db: DatabaseSync, id: number): string | null {
  const row = db.prepare('SELECT paged FROM docs WHERE id = ?').get(id) as
    | { readonly paged: string | null }
    | undefined;
  return row?.paged ?? null;
}

/**
 * Removes a document from the index. With `comesBack`, the row with its page information is kept for the document's
 * return.
 */
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
