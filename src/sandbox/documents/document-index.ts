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

/** Bytes of what lists and searches found that is held for their other windows. */
const foundBytesMax = 64_000_000;

/** Pages of series that take as much memory as one page whose text is indexed. */
const seriesPagesOfRow = 50;

/**
 * The lists and the full-text search of one sandbox. Records that the state holds are in a full-text index; those of series are
 * searched by what they are drawn from. Both follow the state, and can be forgotten at any time.
 */
export class DocumentIndex implements ForgettableIndex {
  readonly #source: IndexSource;
  readonly #waitMsMax: number;
  readonly #records: RecordIndex;
  readonly #series = new SeriesIndex();
  /** What was found in a revision of a state, until it is changed. */
  #found: LruMap<string, Float64Array> | undefined;
  #of: DocumentsState | null = null;
  #revision = -1;

  /** Takes where it finds what it indexes, and how long anyone who asks waits for it, in ms of real time. */
  constructor(source: IndexSource, waitMsMax = indexWaitMsMax) {
    this.#source = source;
    this.#waitMsMax = waitMsMax;
    this.#records = new RecordIndex(source);
  }

  /** Ids of the documents of a list, in order, and how many there are in all. Throws `server-busy` while the index is being made. */
  async documents(filter: DocumentFilter, window: Window): Promise<Rows<number>> {
    return inWindow(await this.#documents(filter), window);
  }

  /**
   * Pages of all listed documents, or of one document whatever it is, in order of document and number. Throws `server-busy`
   * while the index is being made.
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

  /** Gives its memory back; the next who asks has it made again. */
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
   * What a search finds in the state as it is when it ends, remembered until that changes. Anyone who waits too long is told to
   * come back, and what is being made is made all the same.
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
        // What changed while it was searched is searched again.
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

  /** What was found in the state as it is now. */
  #held(): LruMap<string, Float64Array> {
    const documents = this.#source.documents();
    this.#found ??= new LruMap({
      weightMax: foundBytesMax,
      weightOf: ({ byteLength }) => byteLength + 1,
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

/** Lists of numbers, each in order, as one. */
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
