import { computeDigest } from '../../core/digest.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import { countShownPages, type DocumentRecord, isPending } from '../../journal/document-state.ts';
import { ifMatchHolds, ifNoneMatchHolds } from '../policy-conditions.ts';
import type { Recorder } from '../recorder.ts';
import type { Caller, TokenService } from '../token-service.ts';
import { acceptsJson } from './accepts-json.ts';
import { answer, type DocumentRequest, type DocumentResponse, jsonType } from './document-exchange.ts';
import { emptyList, type ListTexts, listAnswer, listMethods } from './document-lists.ts';
import { parseDocumentFilter, parseListWindow, parsePageFilter } from './document-queries.ts';
import type { DocumentService } from './document-service.ts';
import { type Addresses, createPage, createSummary } from './document-view.ts';
import { type DocumentWrite, readWrite, writtenTypes } from './document-writes.ts';
import type { FileTokens } from './file-tokens.ts';
import { createSlug } from './slug.ts';

/** Authenticated caller of the API, or `null` if the request is anonymous. */
type Requester = Caller | null;

/** Names of the lists in URLs, with their titles in OPTIONS responses. */
const listTitles = { document: 'Document', page: 'Page', pageannotation: 'Page Annotation' } as const;
type ListName = keyof typeof listTitles;

const recordMethods = 'GET, PUT, PATCH, HEAD, OPTIONS';
const writeScope = 'write:document';

const route = /^\/api\/v1\/(document|page|pageannotation)(?:\/([^/]*))?(\/)?$/;
const wholeId = /^\d{1,15}$/;

/** Maximum size in bytes of the cached responses of all records. */
const cachedBytesMax = 64_000_000;

interface CachedText {
  readonly etag: string;
  readonly text: string;
}

interface CachedBytes {
  readonly etag: string;
  readonly bytes: Uint8Array;
}

/** Document records API of one sandbox, independent of HTTP. */
export class DocumentRequests {
  readonly #recorder: Recorder;
  readonly #service: DocumentService;
  readonly #tokens: TokenService;
  readonly #fileTokens: FileTokens;
  readonly #summaries = new LruMap<string, CachedText>({
    weightMax: cachedBytesMax,
    computeWeight: ({ text }) => text.length + 1,
  });
  readonly #records = new LruMap<string, CachedBytes>({
    weightMax: cachedBytesMax,
    computeWeight: ({ bytes }) => bytes.length + 1,
  });

  constructor(
    recorder: Recorder,
    parts: { readonly service: DocumentService; readonly tokens: TokenService; readonly fileTokens: FileTokens },
  ) {
    this.#recorder = recorder;
    this.#service = parts.service;
    this.#tokens = parts.tokens;
    this.#fileTokens = parts.fileTokens;
  }

  /**
   * Handles a request. Throws the errors with which the API rejects it: `not-found`, `document-not-found`,
   * `unauthenticated`, `access-denied`, `not-acceptable`, `method-not-allowed`, `bad-request`,
   * `unsupported-media-type`, `payload-too-large`, `precondition-failed`.
   */
  async ask(request: DocumentRequest): Promise<DocumentResponse> {
    const [, list, name, slash] = route.exec(request.path) ?? [];
    const isList = name === undefined || name === '';
    if (list === undefined || (list !== 'document' && !isList)) throw new NudgeLabError('not-found');
    if (list === 'pageannotation' && this.#profile() !== 'upstream') throw new NudgeLabError('not-found');
    if (!isList && !wholeId.test(name)) throw new NudgeLabError('not-found');
    // A path without a trailing slash is redirected. In a list path, the slash before the absent id is the trailing
    // slash.
    if (slash === undefined && !request.path.endsWith('/')) return redirected(request);
    await this.#service.ready();
    const requester = await this.#authenticate(request);
    if (isList) return this.#list(request, list as ListName, requester);
    return this.#one(request, Number(name), requester);
  }

  /** Returns the values that the URLs of a record are built from. */
  async createUrls(
    record: DocumentRecord,
    { base, prefix }: Pick<DocumentRequest, 'base' | 'prefix'>,
  ): Promise<Addresses> {
    const endsAtMs = this.#service.addressEndsAtMs();
    const token = record.public ? null : await this.#fileTokens.sign(record.uid, endsAtMs);
    return { base, prefix, profile: this.#profile(), token };
  }

  /**
   * Checks that a caller may read a record. A private record exists only for its owner, and an unlisted one requires
   * its `uid` (D7). Throws `document-not-found`, `unauthenticated` or `access-denied`.
   */
  admit(record: DocumentRecord, uid: string | null, requester: Requester): void {
    if (record.owner !== null && findUser(requester) === record.owner) return;
    if (!record.public) throw new NudgeLabError('document-not-found');
    if (record.listed || uid?.toLowerCase() === record.uid || uid?.toLowerCase() === record.uid.replaceAll('-', ''))
      return;
    if (requester === null) throw notAuthenticated();
    throw notPermitted();
  }

  async #one(request: DocumentRequest, id: number, requester: Requester): Promise<DocumentResponse> {
    const { method, headers, query } = request;
    const isWrite = method === 'PUT' || method === 'PATCH';
    if (!(isWrite || method === 'GET' || method === 'HEAD' || method === 'OPTIONS'))
      throw otherMethod(method, recordMethods);
    if (isWrite && requester === null) throw notAuthenticated();
    const record = this.#service.get(id);
    if (isWrite) return this.#write(request, record, requester);
    this.admit(record, query.get('uid'), requester);
    if (method === 'OPTIONS') return options('Document Instance', recordMethods);
    if (!acceptsJson(headers.accept)) throw new NudgeLabError('not-acceptable');
    const { etag, bytes } = await this.#recordBytes(record, request);
    const always = { Allow: recordMethods, Vary: 'Accept', ETag: etag, 'Cache-Control': 'no-cache' };
    if (headers.ifNoneMatch !== undefined && ifNoneMatchHolds(headers.ifNoneMatch, etag)) {
      return { status: 304, headers: always, body: null };
    }
    return answer(200, bytes, always);
  }

  async #write(request: DocumentRequest, record: DocumentRecord, requester: Requester): Promise<DocumentResponse> {
    const { method, headers, query } = request;
    if (requester === null || record.owner === null || findUser(requester) !== record.owner) {
      this.admit(record, query.get('uid'), requester);
      throw notPermitted();
    }
    if (!requester.permissions.includes(writeScope)) throw notPermitted(`The token lacks the scope ${writeScope}.`);
    if (!acceptsJson(headers.accept)) throw new NudgeLabError('not-acceptable');
    const known = writtenTypes.some((type) => headers.contentType?.toLowerCase().startsWith(type) ?? true);
    const written = await readWrite(headers.contentType, known ? await request.readBody() : new Uint8Array(1));
    // The record may have changed while the body was being received.
    const current = this.#service.get(record.id);
    if (
      headers.ifMatch !== undefined &&
      !ifMatchHolds(withoutWindow(headers.ifMatch), this.#etag(current, request, false))
    ) {
      throw new NudgeLabError('precondition-failed', {
        message: 'The document has changed since it was read. Read it again, then retry.',
      });
    }
    const changed = await this.#store(current, written, method);
    const always = {
      Allow: recordMethods,
      Vary: 'Accept',
      ETag: this.#etag(changed, request),
      'Cache-Control': 'no-cache',
    };
    if (this.#profile() === 'upstream' && method === 'PUT') {
      const { title, description } = changed;
      return answer(200, Buffer.from(JSON.stringify({ title, description })), always);
    }
    return answer(200, Buffer.from(await this.#summaryText(changed, request)), always);
  }

  /**
   * Stores a write. A write without changes is not recorded in the journal. Only a PUT renews the slug for a new
   * title.
   */
  async #store(record: DocumentRecord, { title, description }: DocumentWrite, method: string): Promise<DocumentRecord> {
    const changes = {
      ...(title === undefined || title === record.title ? {} : { title }),
      ...(title === undefined || title === record.title || method !== 'PUT' ? {} : { slug: createSlug(title) }),
      ...(description === undefined || description === record.description ? {} : { description }),
    };
    if (Object.keys(changes).length === 0) return record;
    return this.#service.change(record, changes);
  }

  async #list(request: DocumentRequest, list: ListName, requester: Requester): Promise<DocumentResponse> {
    const { method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') throw otherMethod(method, listMethods);
    if (method === 'OPTIONS') return options(`${listTitles[list]} List`, listMethods);
    if (!acceptsJson(headers.accept)) throw new NudgeLabError('not-acceptable');
    return listAnswer(request, await this.#rows(list, request, requester));
  }

  async #rows(list: ListName, request: DocumentRequest, requester: Requester): Promise<ListTexts> {
    switch (list) {
      case 'document':
        return this.#documents(request, requester);
      case 'page':
        return this.#pages(request, requester);
      case 'pageannotation':
        // Upstream profile: viewers request the annotations of a document, but this API cannot create any.
        return emptyList;
    }
  }

  async #documents(request: DocumentRequest, requester: Requester): Promise<ListTexts> {
    const filter = parseDocumentFilter(request.query);
    if (filter === null) return emptyList;
    const user = findUser(requester);
    const mine = user === null ? {} : { owner: user };
    const { rows, total } = await this.#service.index.documents({ ...filter, ...mine }, parseListWindow(request.query));
    const texts: string[] = [];
    for (const id of rows) {
      const record = this.#service.find(id);
      if (record !== null) texts.push(await this.#summaryText(record, request));
    }
    return { texts, total };
  }

  /**
   * Returns the page list of one document that the caller may read, or of all listed documents. Upstream profile:
   * without search words, only page 1 is listed.
   */
  async #pages(request: DocumentRequest, requester: Requester): Promise<ListTexts> {
    const { query } = request;
    const upstream = this.#profile() === 'upstream';
    const filter = parsePageFilter(query);
    if (filter === null) return emptyList;
    if (filter.documentId !== undefined && !this.#isReadable(filter.documentId, query.get('uid'), requester)) {
      if (!upstream) return emptyList;
      const message = 'Select a valid choice. That choice is not one of the available choices.';
      throw new NudgeLabError('bad-request', { problems: [{ location: 'document', message }] });
    }
    const first = upstream && filter.match === undefined && filter.number === undefined ? { number: 1 } : {};
    const { rows, total } = await this.#service.index.pages({ ...filter, ...first }, parseListWindow(query));
    const texts: string[] = [];
    for (const { documentId, number } of rows) {
      const record = this.#service.find(documentId);
      if (record === null) continue;
      const addresses = await this.createUrls(record, request);
      texts.push(JSON.stringify(createPage(record, number, await this.#service.page(record, number), addresses)));
    }
    return { texts, total };
  }

  #isReadable(id: number, uid: string | null, requester: Requester): boolean {
    const record = this.#service.find(id);
    if (record === null) return false;
    try {
      this.admit(record, uid, requester);
      return true;
    } catch {
      return false;
    }
  }

  async #recordBytes(record: DocumentRecord, request: DocumentRequest): Promise<CachedBytes> {
    const etag = this.#etag(record, request);
    const key = `${record.id} ${request.base}`;
    const cached = this.#records.get(key);
    if (cached?.etag === etag) return cached;
    const summary = await this.#summaryText(record, request);
    const addresses = await this.createUrls(record, request);
    const pages = (await this.#service.pages(record)).slice(0, countShownPages(record));
    const json = JSON.stringify(pages.map((page, index) => createPage(record, index + 1, page, addresses)));
    const made = { etag, bytes: Buffer.from(`${summary.slice(0, -1)},"pages":${json}}`) };
    this.#records.set(key, made);
    return made;
  }

  async #summaryText(record: DocumentRecord, request: DocumentRequest): Promise<string> {
    const etag = this.#etag(record, request);
    const key = `${record.id} ${request.base}`;
    const cached = this.#summaries.get(key);
    if (cached?.etag === etag) return cached.text;
    const { source } = record;
    const bytes = source.kind === 'file' ? source.bytes : (await this.#service.madeFile(record)).length;
    const text = JSON.stringify(createSummary(record, bytes, await this.createUrls(record, request)));
    this.#summaries.set(key, { etag, text });
    return text;
  }

  /**
   * Returns the ETag of a record, which identifies the last change and, for a private record, the time at which its
   * URLs expire. Conditional writes ignore that time.
   */
  #etag(record: DocumentRecord, { base }: Pick<DocumentRequest, 'base'>, withWindow = true): string {
    const { id, changedBySeq, state, processed } = record;
    const pending = isPending(record) ? `${state} ${processed}` : '';
    const named = `${id} ${changedBySeq} ${pending} ${record.public} ${this.#profile()} ${base}`;
    const window = record.public || !withWindow ? '' : `.${this.#service.addressEndsAtMs().toString(36)}`;
    return `"${normalizeTag(named)}${window}"`;
  }

  #profile(): 'seed' | 'upstream' {
    return this.#recorder.state().settings.documents?.profile ?? 'seed';
  }

  /**
   * Returns the caller, or `null` if the request is anonymous. Throws `unauthenticated` for an invalid token.
   * Upstream profile: an invalid token counts as anonymous.
   */
  async #authenticate({ headers: { authorization } }: DocumentRequest): Promise<Requester> {
    const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    if (token === undefined) return null;
    try {
      return this.#tokens.remembered(token) ?? (await this.#tokens.verify(token));
    } catch (error) {
      if (this.#profile() === 'upstream') return null;
      throw error;
    }
  }
}

/**
 * Returns the user that a caller acts for. An application acts for no user, regardless of its name, and owns no
 * records.
 */
function findUser(requester: Requester): string | null {
  return requester?.kind === 'delegated' ? requester.subject : null;
}

const bearer = /^Bearer +(\S+) *$/i;

/** Cache of ETag digests, because the same records are requested repeatedly. */
const tags = new LruMap<string, string>({ max: 10_000 });

function normalizeTag(named: string): string {
  let tag = tags.get(named);
  if (tag === undefined) {
    tag = computeDigest(named);
    tags.set(named, tag);
  }
  return tag;
}

const windowInTag = /\.[0-9a-z]+"/g;

function withoutWindow(header: string): string {
  return header.replace(windowInTag, '"');
}

function redirected({ path, query, prefix }: DocumentRequest): DocumentResponse {
  const search = query.size === 0 ? '' : `?${query}`;
  return { status: 301, headers: { Location: `${prefix}${path}/${search}` }, body: null };
}

/** Creates the response to an OPTIONS request. */
function options(name: string, allow: string): DocumentResponse {
  const metadata = { name, description: '', renders: [jsonType], parses: writtenTypes };
  return answer(200, Buffer.from(JSON.stringify(metadata)), { Allow: allow, Vary: 'Accept' });
}

function otherMethod(method: string, allow: string): NudgeLabError {
  return new NudgeLabError('method-not-allowed', {
    message: `Method "${method}" not allowed.`,
    headers: { Allow: allow },
  });
}

function notAuthenticated(): NudgeLabError {
  return new NudgeLabError('unauthenticated', {
    message: 'Authentication credentials were not provided.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function notPermitted(message = 'You do not have permission to perform this action.'): NudgeLabError {
  return new NudgeLabError('access-denied', { message });
}

/** Maximum size of a write request body, in bytes. */
export const writeBytesMax = apiBodyBytesMax;
