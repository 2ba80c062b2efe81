import { indexWaitMsMax } from '../../contract/document-limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import { countShownPages, type DocumentsState, findSeries } from '../../journal/document-state.ts';
import { type ForgettableIndex, indexRoom } from './index-memory-budget.ts';
import {
  type DocumentFilter,
  type IndexSource,
  type PageFilter,
  type PagePlace,
  pageRoom,
  RecordIndex,
} from './record-index.ts';
import { SeriesIndex } from './series-index.ts';
import { WaitDeadline } from './wait-deadline.ts';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** Maximum size in bytes of the cached search results, which serve further pages of the same list. */
const foundBytesMax = 64_000_000;

/** Number of series pages that use as much memory as one page with indexed text. */
const seriesPagesOfRow = 50;

/**
 * Lists and full-text search of one sandbox. Records in the state are in a full-text index. Records of a series are
 * searched through the data that they are generated from. Both follow the state and can be discarded at any time.
 */
export class DocumentIndex implements ForgettableIndex {
  readonly #source: IndexSource;
  readonly #waitMsMax: number;
  readonly #records: RecordIndex;
  readonly #series = new SeriesIndex();
  /** Search results for one revision of a state. */
  #found: LruMap<string, Float64Array> | undefined;
  #of: DocumentsState | null = null;
  #revision = -1;

  /**
   * Creates an index over a source. `waitMsMax` limits how long a request waits for it, in milliseconds of real time.
   */
  constructor(source: IndexSource, waitMsMax = indexWaitMsMax) {
    this.#source = source;
    this.#waitMsMax = waitMsMax;
    this.#records = new RecordIndex(source);
  }

  /**
   * Returns the ids of the matching documents in order and their total number. Throws `server-busy` while the index
   * is being built.
   */
  async documents(filter: DocumentFilter, window: Window): Promise<Rows<number>> {
    return inWindow(await this.#documents(filter), window);
  }

  /**
   * Returns the matching pages in order of document and number. The pages belong to all listed documents, or to one
   * document even if it is not listed. Throws `server-busy` while the index is being built.
   */
  async pages(filter: PageFilter, window: Window): Promise<Rows<PagePlace>> {
    if (filter.match !== undefined) {
      const { rows, total } = inWindow(await this.#pagesWith(filter, filter.match), window);
      return {
        rows: rows.map((place) => ({ documentId: Math.floor(place / pageRoom), number: place % pageRoom })),
        total,
      };
    }
    const ids = filter.documentId === undefined ? await this.#documents({}) : [filter.documentId];
    return placesIn(ids, (id) => this.#shownPages(id), filter.number, window);
  }

  /** Releases the memory of the index. The next request builds it again. */
  forget(): boolean {
    if (!(this.#records.forget() && this.#series.forget())) return false;
    this.#found?.clear();
    return true;
  }

  #documents(filter: DocumentFilter): Promise<Float64Array> {
    return this.#find(JSON.stringify(['documents', filter]), false, async (documents) => {
      const isUntouched = untouchedIn(documents);
      const parts: (readonly number[])[] = [];
      for (const series of documents.series) parts.push(await this.#series.documents(series, filter, isUntouched));
      return { parts, own: () => this.#records.documents(filter) };
    });
  }

  #pagesWith(filter: PageFilter, match: string): Promise<Float64Array> {
    return this.#find(JSON.stringify(['pages', filter]), true, async (documents) => {
      const isUntouched = untouchedIn(documents);
      const { documentId } = filter;
      const parts: (readonly number[])[] = [];
      if (documentId === undefined) {
        for (const series of documents.series) {
          parts.push(await this.#series.pages(series, filter, match, isUntouched));
        }
      } else if (isUntouched(documentId) && findSeries(documents, documentId) !== null) {
        const record = this.#source.record(documentId);
        if (record !== null) parts.push(await this.#series.pagesOfRecord(record, filter, match));
      }
      return { parts, own: () => this.#records.pages(filter, match) };
    });
  }

  /**
   * Searches the current state and caches the result until the state changes. A request that waits too long is
   * rejected with a retry delay, while the index continues to be built.
   */
  async #find(
    key: string,
    withPages: boolean,
    search: (documents: DocumentsState) => Promise<{
      readonly parts: readonly (readonly number[])[];
      readonly own: () => readonly number[];
    }>,
  ): Promise<Float64Array> {
    const late = new WaitDeadline(this.#waitMsMax);
    try {
      for (;;) {
        const known = this.#held().get(key);
        if (known !== undefined) return known;
        const documents = this.#source.documents();
        const { revision } = documents;
        const searching = search(documents).then(async (found) => {
          await this.#records.sync(withPages);
          return found;
        });
        searching.catch(() => undefined);
        const { parts, own } = await Promise.race([searching, late.passed]);
        // The search is repeated if the state changed in the meantime.
        if (this.#source.documents() !== documents || documents.revision !== revision) continue;
        if (!this.#records.isCurrent(withPages)) continue;
        const merged = mergedInOrder([...parts, own()]);
        this.#held().set(key, merged);
        indexRoom.note(this, this.#records.rows() + Math.ceil(this.#series.rows() / seriesPagesOfRow));
        return merged;
      }
    } finally {
      late.cancel();
    }
  }

  /** Returns the cached results for the current state. */
  #held(): LruMap<string, Float64Array> {
    const documents = this.#source.documents();
    this.#found ??= new LruMap({
      weightMax: foundBytesMax,
      computeWeight: ({ byteLength }) => byteLength + 1,
    });
    if (documents !== this.#of || documents.revision !== this.#revision) {
      this.#found.clear();
      this.#series.keepOnly(documents.series);
      this.#of = documents;
      this.#revision = documents.revision;
    }
    return this.#found;
  }

  #shownPages(id: number): number {
    const documents = this.#source.documents();
    const own = documents.records[id];
    if (own !== undefined) return countShownPages(own);
    return id in documents.removed ? 0 : (findSeries(documents, id)?.pages ?? 0);
  }
}

function untouchedIn({ records, removed }: DocumentsState): (id: number) => boolean {
  return (id) => !(id in records || id in removed);
}

/** Merges sorted lists of numbers into one. */
function mergedInOrder(parts: readonly (readonly number[])[]): Float64Array {
  const [only = [], ...others] = parts.filter(({ length }) => length > 0);
  return others.length === 0 ? Float64Array.from(only) : Float64Array.from([only, ...others].flat()).sort();
}

function inWindow(found: Float64Array, { limit, offset }: Window): Rows<number> {
  return { rows: Array.from(found.subarray(offset, offset + limit)), total: found.length };
}

function placesIn(
  ids: Iterable<number>,
  pagesOf: (id: number) => number,
  number: number | undefined,
  { limit, offset }: Window,
): Rows<PagePlace> {
  const rows: PagePlace[] = [];
  let total = 0;
  for (const id of ids) {
    const pages = pagesOf(id);
    const count = number === undefined ? pages : number <= pages ? 1 : 0;
    for (let index = Math.max(0, offset - total); index < count && rows.length < limit; index += 1) {
      rows.push({ documentId: id, number: number ?? index + 1 });
    }
    total += count;
  }
  return { rows, total };
}
