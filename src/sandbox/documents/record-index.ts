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
  /** Whether private and unlisted documents are searched too; for anyone who runs the sandbox. */
  readonly whole?: boolean;
}

/** A row of the page index names document and page: more than the pages of one document. */
export const pageRoom = 4_096;

/** Records and pages that are indexed before others get a turn. */
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
 * The full-text index in memory of the records that the folded state holds: those that were added, and those of a series that
 * were changed. It follows the state and can be forgotten at any time; it is made when someone first asks, a slice at a time.
 */
export class RecordIndex {
  readonly #source: Pick<IndexSource, 'documents' | 'texts'>;
  #db: DatabaseSync | null = null;
  /** The state that was indexed, and its revision then. */
  #of: DocumentsState | null = null;
  #revision = -1;
  #pagesRevision = -1;
  #working: Promise<void> = Promise.resolve();
  /** How many have asked to bring it up to date and are not through. */
  #workers = 0;

  /** Takes where it finds what it indexes. */
  constructor(source: Pick<IndexSource, 'documents' | 'texts'>) {
    this.#source = source;
  }

  /** Brings the index up to date; it goes on if anyone who asked waits no longer. Takes whether texts of pages are wanted too. */
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

  /** Whether it is as the state is now. */
  isCurrent(withPages: boolean): boolean {
    const documents = this.#source.documents();
    const isOfNow = this.#db !== null && documents === this.#of && documents.revision === this.#revision;
    return isOfNow && (!withPages || this.#pagesRevision === this.#revision);
  }

  /** Ids of the documents that a filter leaves, in order. The index is current. */
  documents(filter: DocumentFilter): readonly number[] {
    const { where, values } = documentConditions(filter);
    return this.#numbers(`SELECT id AS found FROM docs WHERE ${where} ORDER BY id`, values);
  }

  /** Places of the pages that hold the words, in order: id times `pageRoom` and number. The index is current, with pages. */
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

  /** Records and pages that it holds. */
  rows(): number {
    return this.#db === null ? 0 : rowsIn(this.#db);
  }

  /** Gives its memory back, unless it is being made just now. Returns whether it did. */
  forget(): boolean {
    if (this.#workers > 0) return false;
    this.#db?.close();
    this.#db = null;
    return true;
  }

  #numbers(sql: string, values: readonly (string | number)[]): readonly number[] {
    if (this.#db === null) throw new TypeError('The index was asked before it was made.');
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
    await inSlices(db, Object.values(documents.records), (record) => {
      const { id } = record;
      const known = versions.get(id);
      if (known === versionOf(record)) return 1;
      if (known !== undefined) removeDocument(db, id, true);
      insert(record, known === undefined ? null : pagedOf(db, id));
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
      const shown = countShownPages(record);
      texts.slice(0, shown).forEach((text, index) => {
        add.run(id * pageRoom + index + 1, text);
      });
      note.run(versionOf(record), id);
      return shown + 1;
    });
  }
}

function rowsIn(db: DatabaseSync): number {
  const sql = 'SELECT count(*) + coalesce(sum(CASE WHEN paged IS NULL THEN 0 ELSE pages END), 0) AS total FROM docs';
  return (db.prepare(sql).get() as { readonly total: number }).total;
}

/** Does something for each item, in a transaction between which other work goes on. Takes what says how many rows it wrote. */
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
    const pages = countShownPages(record);
    row.run(id, createdAtMs, publicbody, foirequest, listable, owner, pages, versionOf(record), paged);
    text.run(id, title, description);
    for (const word of tags) tag.run(word, id);
  };
}

/** Everyone sees what is public and listed; what is pending is in no list. */
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
