import type { DocumentBody, DocumentDetails, DocumentMove, GivenPage } from '../../contract/document.schema.ts';
import { documentsMax, fileAddressSpanMs, ownDocumentsMax, seriesPagesMax } from '../../contract/document-limits.ts';
import { computeDigest } from '../../core/digest.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { DocumentFileStore, StoredFile } from '../../documents/document-file-store.ts';
import {
  canMove,
  type DocumentRecord,
  type DocumentSource,
  type DocumentsState,
  findSeries,
  type NewDocument,
} from '../../journal/document-state.ts';
import type { Recorder } from '../recorder.ts';
import { DocumentIndex } from './document-index.ts';
import { plainPdf } from './plain-pdf.ts';
import { loadPhrases, seriesPage, seriesRecord } from './series.ts';
import { createSlug } from './slug.ts';
import { createUid, idInUid } from './uid.ts';

/** Options for adding a file. */
export interface FileOptions {
  /** Name of the file. The title is derived from it if neither the caller nor the file provides one. */
  readonly name?: string | undefined;
  readonly webp: boolean;
  /** Password of an encrypted file, which is not stored. */
  readonly password?: string | undefined;
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly page: number; readonly pages: number }) => void) | undefined;
  /** Runs a task during which another process may take over the sandbox. */
  readonly aside?: (<T>(task: () => Promise<T>) => Promise<T>) | undefined;
}

/** Prefix under which the store records that a sandbox needs a file. */
export const claimName = 'document-file:';

/** Service for the documents of one sandbox: adds, transitions, changes, removes and finds them. */
export class DocumentService {
  readonly index: DocumentIndex;
  readonly #recorder: Recorder;
  #fileStore: DocumentFileStore | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.index = new DocumentIndex({
      documents: () => this.#documents(),
      record: (id) => this.find(id),
      texts: async (record) => (await this.pages(record)).map(({ content }) => content),
    });
  }

  /** Sets the store of the files. Without one, such as in a model without a server, no file can be added. */
  useFileStore(fileStore: DocumentFileStore): void {
    this.#fileStore = fileStore;
  }

  /** Returns the store of the files. Throws `not-found` if there is none. */
  get fileStore(): DocumentFileStore {
    if (this.#fileStore === null)
      throw new NudgeLabError('not-found', { message: 'Document files are available only on a server.' });
    return this.#fileStore;
  }

  /**
   * Loads the phrases of synthetic documents, if there are any. Await it before any request. Returns `null` if
   * nothing has to be loaded.
   */
  ready(): Promise<void> | null {
    return this.#documents().series.length === 0 ? null : loadPhrases();
  }

  /** Returns the record with an id, or `null` if there is none. */
  find(id: number): DocumentRecord | null {
    const documents = this.#documents();
    const own = documents.records[id];
    if (own !== undefined) return own;
    const series = findSeries(documents, id);
    return series === null || id in documents.removed ? null : seriesRecord(series, id);
  }

  /** Returns the record with an id. Throws `document-not-found`. */
  get(id: number): DocumentRecord {
    const record = this.find(id);
    if (record === null) throw new NudgeLabError('document-not-found', { message: `Document ${id} does not exist.` });
    return record;
  }

  /** Returns the record with a unique identifier, given as 32 hexadecimal digits or as a UUID. */
  findByUid(uid: string): DocumentRecord | null {
    const hex = uid.replaceAll('-', '').toLowerCase();
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
    const whole = parts.join('-');
    const id = this.#documents().idsByUid[whole] ?? idInUid(hex);
    const record = this.find(id);
    return record?.uid === whole ? record : null;
  }

  /** Returns the number of records. */
  count(): number {
    const { series, records, removed } = this.#documents();
    const inSeries = series.reduce((sum, { count }) => sum + count, 0);
    const apart = Object.keys(records).filter((id) => findSeries(this.#documents(), Number(id)) === null).length;
    const removedInSeries = Object.keys(removed).filter(
      (id) => findSeries(this.#documents(), Number(id)) !== null,
    ).length;
    return inSeries + apart - removedInSeries;
  }

  /** Returns the record ids after a given one, in order, for the control API, which sees all records. */
  idsAfter(after: number, limit: number): readonly number[] {
    const ids: number[] = [];
    const { nextId } = this.#documents();
    for (let id = after + 1; id < nextId && ids.length < limit; id += 1) if (this.#holds(id)) ids.push(id);
    return ids;
  }

  /** Adds a record with given pages and returns it. Throws `too-many-documents` or `bad-request`. */
  async add({ pages, outline, properties, ...details }: DocumentBody): Promise<DocumentRecord> {
    return this.#add(details, {
      title: properties.title ?? 'Untitled',
      outline,
      properties,
      source: { kind: 'given', pages },
    });
  }

  /**
   * Adds a record from a streamed PDF and returns it. If anything fails, no part of the file is stored. Throws the
   * errors of the file store, and `too-many-documents`.
   */
  async addFile(
    chunks: AsyncIterable<Uint8Array>,
    details: DocumentDetails,
    options: FileOptions,
  ): Promise<DocumentRecord> {
    this.#refuseMore(1);
    this.#refuseOwner(details);
    const { aside = (task) => task() } = options;
    const shelved = await aside(() => this.fileStore.take(chunks, options));
    await this.#claim(shelved);
    const { digest, bytes, pages, outline, properties } = shelved;
    const title = properties.title?.trim() || formatTitle(options.name);
    return this.#add(details, { title, outline, properties, source: { kind: 'file', digest, bytes, pages } });
  }

  /** Adds a series of synthetic records and returns the id of the first. Throws `too-many-documents`. */
  async addSeries(count: number, pages: number, seed: number): Promise<number> {
    const { nextId, series } = this.#documents();
    if (nextId + count > documentsMax) throw tooMany(documentsMax);
    const pagesThere = series.reduce((sum, one) => sum + one.count * one.pages, 0);
    if (pagesThere + count * pages > seriesPagesMax) {
      const message = `The synthetic documents of a sandbox can have at most ${seriesPagesMax} pages in total.`;
      throw new NudgeLabError('too-many-documents', { message });
    }
    await this.#recorder.record({ type: 'document.syntheticAdded', count, pages, seed });
    await loadPhrases();
    return nextId;
  }

  /**
   * Applies a transition to a record. Throws `document-not-found`, or `document-step-refused` if the state does not
   * allow it.
   */
  async move(id: number, move: DocumentMove, pages?: number): Promise<DocumentRecord> {
    const record = this.get(id);
    if (!canMove(record, move)) {
      throw new NudgeLabError('document-step-refused', {
        message: `Document ${id} is ${record.state} and ${record.public ? 'public' : 'private'}, so ${move} has no effect.`,
      });
    }
    const counted = pages === undefined ? {} : { pages };
    await this.#recorder.record({
      type: 'document.transitioned',
      documentId: id,
      move,
      ...counted,
      ...this.#taken(record),
    });
    return this.get(id);
  }

  /** Changes the title, slug or description of a record. */
  async change(
    record: DocumentRecord,
    changes: { readonly title?: string; readonly slug?: string; readonly description?: string },
  ): Promise<DocumentRecord> {
    await this.#recorder.record({
      type: 'document.changed',
      documentId: record.id,
      ...changes,
      ...this.#taken(record),
    });
    return this.get(record.id);
  }

  /** Deletes a record. Throws `document-not-found`. */
  async remove(id: number): Promise<void> {
    this.get(id);
    await this.#recorder.record({ type: 'document.removed', documentId: id });
  }

  /** Returns all pages of a record from its source. */
  async pages({ id, source }: DocumentRecord): Promise<readonly GivenPage[]> {
    switch (source.kind) {
      case 'given':
        return source.pages;
      case 'file':
        return (await this.fileStore.read(source.digest)).pages;
      case 'series':
        return Array.from({ length: source.pages }, (_, index) => seriesPage(source.seed, id, index + 1));
    }
  }

  /** Returns one page of a record. Page numbers start at 1. */
  async page(record: DocumentRecord, number: number): Promise<GivenPage> {
    const { source } = record;
    const page =
      source.kind === 'series' ? seriesPage(source.seed, record.id, number) : (await this.pages(record))[number - 1];
    if (page === undefined) throw new NudgeLabError('store-corrupt', { message: `Page ${number} is missing.` });
    return page;
  }

  /**
   * Returns the digest of a record's file in the file store. The file of a record without an uploaded one is
   * generated at the first request.
   */
  async fileDigest(record: DocumentRecord): Promise<string> {
    const { source } = record;
    if (source.kind === 'file') {
      await this.fileStore.fetch(source.digest);
      return source.digest;
    }
    const made = await this.madeFile(record);
    const digest = `made-${computeDigest(Buffer.from(made).toString('latin1'))}`;
    await this.fileStore.make(digest, () => made);
    return digest;
  }

  /** Generates the PDF of a record without an uploaded file. */
  async madeFile(record: DocumentRecord): Promise<Uint8Array> {
    return plainPdf(await this.pages(record), record.properties.title ?? '');
  }

  /**
   * Returns the expiry time of a private file URL created now, in milliseconds. Calls within the same period return
   * the same time.
   */
  addressEndsAtMs(): number {
    return (Math.floor(this.#recorder.nowMs() / fileAddressSpanMs) + 2) * fileAddressSpanMs;
  }

  async #add(
    { title, description, timing, ...details }: DocumentDetails,
    rest: { readonly title: string; readonly source: DocumentSource } & Pick<NewDocument, 'outline' | 'properties'>,
  ): Promise<DocumentRecord> {
    this.#refuseMore(1);
    this.#refuseOwner(details);
    const { nextId } = this.#documents();
    const chosen = title ?? rest.title;
    const document: NewDocument = {
      ...details,
      ...rest,
      uid: createUid(this.#recorder.state().seed, nextId),
      title: chosen,
      slug: createSlug(chosen),
      description,
      timing: timing === 'by-hand' ? null : timing,
    };
    await this.#recorder.record({ type: 'document.added', document });
    return this.get(nextId);
  }

  /**
   * Claims a file before the journal names it. An unused claim only wastes storage, but a missing claim would lose
   * the file.
   */
  async #claim({ digest }: StoredFile): Promise<void> {
    const { store, sandboxId } = this.#recorder;
    this.fileStore.claim(digest, sandboxId);
    if (store.durable) await store.keep(sandboxId, `${claimName}${digest}`, '');
    await this.fileStore.archive(digest);
  }

  #refuseMore(count: number): void {
    const { nextId, records } = this.#documents();
    if (nextId + count > documentsMax) throw tooMany(documentsMax);
    if (Object.keys(records).length + count > ownDocumentsMax) throw tooMany(ownDocumentsMax);
  }

  #refuseOwner({ owner }: Pick<DocumentDetails, 'owner'>): void {
    if (owner === null || this.#recorder.state().users.has(owner)) return;
    throw new NudgeLabError('user-not-found', { message: `User "${owner}" does not exist in this sandbox.` });
  }

  /** Returns the record as event data if it still belongs to a series. A changed series record is stored in full. */
  #taken(record: DocumentRecord): { readonly taken?: DocumentRecord } {
    return record.id in this.#documents().records ? {} : { taken: record };
  }

  #holds(id: number): boolean {
    const documents = this.#documents();
    return id in documents.records || (findSeries(documents, id) !== null && !(id in documents.removed));
  }

  #documents(): DocumentsState {
    return this.#recorder.state().documents;
  }
}

function formatTitle(name: string | undefined): string {
  const title =
    name
      ?.replace(/^.*[\\/]/, '')
      .replace(/\.pdf$/i, '')
      .replaceAll(/[_\s]+/g, ' ')
      .trim() ?? '';
  return title === '' ? 'Untitled' : title;
}

function tooMany(max: number): NudgeLabError {
  return new NudgeLabError('too-many-documents', { message: `A sandbox can have at most ${max} documents.` });
}
