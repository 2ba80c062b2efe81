import type { DocumentRecord, DocumentSeries } from '../../journal/document-state.ts';
import { othersTurn } from './others-turn.ts';
import { PhraseQuery } from './phrase-pattern.ts';
import { loadPhraseWords } from './phrase-words.ts';
import { type DocumentFilter, type PageFilter, pageRoom } from './record-index.ts';
import { drawPage, drawRecord, sentencesOfPage, seriesCreatedAtMs, tagWords } from './series.ts';

/** Number of pages and records that are searched before yielding to other work. */
const sliceRows = 10_000;

/** Function that returns true if a record still belongs to its series, neither changed nor removed. */
type IsUntouched = (id: number) => boolean;

/**
 * Search over synthetic records without their texts. A page is a list of twelve sentence numbers, and a search
 * compares them with the sentences that contain the words. A million pages take 24 MB and one second to prepare,
 * whereas their texts would take gigabytes and minutes.
 */
export class SeriesIndex {
  /** Sentence numbers of all pages of each series, in record order. */
  readonly #pages = new Map<DocumentSeries, Promise<Uint16Array>>();
  #making = 0;

  /** Returns the ids of the records of a series that match a filter, in order. */
  async documents(
    series: DocumentSeries,
    filter: DocumentFilter,
    isUntouched: IsUntouched,
  ): Promise<readonly number[]> {
    const query = filter.match === undefined ? undefined : PhraseQuery.of(filter.match, await loadPhraseWords());
    if (query === null) return [];
    const ids = filter.ids === undefined ? null : new Set(filter.ids);
    const isDrawn =
      query !== undefined || [filter.tag, filter.publicbody, filter.foirequest].some((value) => value !== undefined);
    const found: number[] = [];
    await inSlices(series.count, 1, (index) => {
      const id = series.firstId + index;
      if (!isUntouched(id) || ids?.has(id) === false || !isCreatedWithin(series, id, filter)) return;
      if (isDrawn && !isDrawnAs(drawRecord(series, id), filter, query)) return;
      found.push(id);
    });
    return found;
  }

  /** Returns the pages of a series that contain the words, in order. */
  async pages(
    series: DocumentSeries,
    { number }: PageFilter,
    match: string,
    isUntouched: IsUntouched,
  ): Promise<readonly number[]> {
    const query = PhraseQuery.of(match, await loadPhraseWords());
    if (query === null || (number !== undefined && number > series.pages)) return [];
    const sentences = await this.#getSentences(series);
    const found: number[] = [];
    await inSlices(series.count, series.pages, (index) => {
      const id = series.firstId + index;
      if (!isUntouched(id)) return;
      for (let page = number ?? 1; page <= (number ?? series.pages); page += 1) {
        const at = (index * series.pages + page - 1) * sentencesOfPage;
        if (query.isInPage(sentences, at, sentencesOfPage)) found.push(id * pageRoom + page);
      }
    });
    return found;
  }

  /** Returns the pages of one record that contain the words, in order, without any preparation. */
  async pagesOfRecord(
    { id, source }: DocumentRecord,
    { number }: PageFilter,
    match: string,
  ): Promise<readonly number[]> {
    if (source.kind !== 'series') return [];
    const query = PhraseQuery.of(match, await loadPhraseWords());
    const drawn = new Uint16Array(sentencesOfPage);
    const found: number[] = [];
    for (let page = 1; query !== null && page <= source.pages; page += 1) {
      drawPage({ seed: source.seed, id, page }, drawn);
      if ((number ?? page) === page && query.isInPage(drawn, 0, sentencesOfPage)) found.push(id * pageRoom + page);
    }
    return found;
  }

  /** Returns the number of pages in memory. */
  rows(): number {
    return [...this.#pages.keys()].reduce((sum, { count, pages }) => sum + count * pages, 0);
  }

  /** Releases the memory of the index unless it is being built. Returns true if the memory was released. */
  forget(): boolean {
    if (this.#making > 0) return false;
    this.#pages.clear();
    return true;
  }

  /** Discards series that no longer exist, such as after a reset. */
  keepOnly(series: readonly DocumentSeries[]): void {
    for (const held of this.#pages.keys()) if (!series.includes(held)) this.#pages.delete(held);
  }

  #getSentences(series: DocumentSeries): Promise<Uint16Array> {
    let pages = this.#pages.get(series);
    if (pages === undefined) {
      this.#making += 1;
      pages = drawnPages(series).finally(() => {
        this.#making -= 1;
      });
      this.#pages.set(series, pages);
    }
    return pages;
  }
}

async function drawnPages({ firstId, count, pages, seed }: DocumentSeries): Promise<Uint16Array> {
  const drawn = new Uint16Array(count * pages * sentencesOfPage);
  await inSlices(count, pages, (index) => {
    for (let page = 1; page <= pages; page += 1) {
      drawPage({ seed, id: firstId + index, page }, drawn, (index * pages + page - 1) * sentencesOfPage);
    }
  });
  return drawn;
}

function isCreatedWithin(
  series: DocumentSeries,
  id: number,
  { createdAfterMs, createdBeforeMs }: DocumentFilter,
): boolean {
  if (createdAfterMs === undefined && createdBeforeMs === undefined) return true;
  const createdAtMs = seriesCreatedAtMs(series, id);
  return createdAtMs >= (createdAfterMs ?? createdAtMs) && createdAtMs <= (createdBeforeMs ?? createdAtMs);
}

function isDrawnAs(
  { tag, publicbody, foirequest, subjects, sentences }: ReturnType<typeof drawRecord>,
  filter: DocumentFilter,
  query: PhraseQuery | undefined,
): boolean {
  return (
    (filter.tag === undefined || tagWords[tag] === filter.tag) &&
    (filter.publicbody === undefined || publicbody === filter.publicbody) &&
    (filter.foirequest === undefined || foirequest === filter.foirequest) &&
    (query === undefined || query.isInRecord(subjects, sentences))
  );
}

/** Processes `count` items with a number of rows each and yields to other work in between. */
async function inSlices(count: number, rowsOfItem: number, work: (index: number) => void): Promise<void> {
  let rows = 0;
  for (let index = 0; index < count; index += 1) {
    work(index);
    rows += rowsOfItem;
    if (rows < sliceRows) continue;
    rows = 0;
    await othersTurn();
  }
}
