import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { type DocumentDetails, documentDetailsSchema } from '../../contract/document.schema.ts';
import { documentPasswordCharactersMax, documentSecondsMax } from '../../contract/document-limits.ts';
import {
  type documentFileQuery,
  documentOperations,
  type documentPagesQuery,
  type documentPagesResponse,
  type documentResponse,
  filePassword,
  passwordHeader,
} from '../../contract/document-operations.ts';
import { parseOr } from '../../contract/parse.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { silentConnectionMs } from '../../core/limits.ts';
import { countPages, countShownPages, type DocumentRecord, isPending } from '../../journal/document-state.ts';
import { createSummary, followedAddress } from '../../sandbox/documents/document-view.ts';
import { parseSearchExpression } from '../../sandbox/documents/search-expression.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { getDocumentLocation } from '../document-api/document-place.ts';
import { excerpt } from '../document-api/marked-text.ts';
import { aside } from '../enter-sandbox.ts';
import { type FaultListener, reportFault } from '../faults.ts';
import { errorBody, getRequestId } from './control-errors.ts';
import { enteredSandbox, expressPath, parseRequest, serve, serveSandbox } from './serve.ts';

/** Creates the routes that add, upload, generate, transition, and remove the documents of a sandbox. */
export function documentRoutes(sandboxes: Sandboxes, onFault: FaultListener = () => undefined): Router {
  const router = Router();
  const ask = documentOperations;

  serve(router, ask.getDocumentOpenapi, async () => {
    const { documentDocument } = await import('../../contract/document-openapi.ts');
    return documentDocument;
  });

  serveSandbox(router, sandboxes, ask.listDocuments, async (sandbox, { query: { after, limit }, request }) => {
    await sandbox.documents.ready();
    const ids = sandbox.documents.idsAfter(after, limit + 1);
    const page = ids.slice(0, limit);
    const documents = await Promise.all(page.map((id) => view(sandbox, sandbox.documents.get(id), request)));
    return { documents, next: ids.length > limit ? (page.at(-1) ?? null) : null, count: sandbox.documents.count() };
  });

  serveSandbox(router, sandboxes, ask.searchDocuments, async (sandbox, { query, request }) => {
    await sandbox.documents.ready();
    return pagesWith(sandbox, query, request);
  });

  serveSandbox(router, sandboxes, ask.addDocument, async (sandbox, { body, request, response }) => {
    const record = await sandbox.documents.add(body);
    response.location(`${request.originalUrl}/${record.id}`);
    return view(sandbox, record, request);
  });

  serveSandbox(router, sandboxes, ask.addSyntheticDocuments, async (sandbox, { body: { count, pages, seed } }) => {
    const firstId = await sandbox.documents.addSeries(count, pages, seed ?? sandbox.seed);
    return { firstId, count };
  });

  serveSandbox(router, sandboxes, ask.getDocument, async (sandbox, { params, request }) => {
    await sandbox.documents.ready();
    return view(sandbox, sandbox.documents.get(parseId(params.document)), request);
  });

  serveSandbox(
    router,
    sandboxes,
    ask.transitionDocument,
    async (sandbox, { body: { move, pages }, params, request }) => {
      await sandbox.documents.ready();
      return view(sandbox, await sandbox.documents.move(parseId(params.document), move, pages), request);
    },
  );

  serveSandbox(router, sandboxes, ask.removeDocument, async (sandbox, { params }) => {
    await sandbox.documents.ready();
    await sandbox.documents.remove(parseId(params.document));
  });

  router.post(expressPath(ask.uploadDocument), addFile(sandboxes, onFault));
  return router;
}

/**
 * Adds a document from the PDF in a request. Clients that accept NDJSON receive the progress after each page. Closing
 * the connection cancels the upload, and nothing is stored.
 */
function addFile(sandboxes: Sandboxes, onFault: FaultListener): RequestHandler {
  return async (request, response) => {
    const sandbox = await enteredSandbox(sandboxes, request, response);
    const { query } = parseRequest(documentOperations.uploadDocument, request, response);
    refuseOtherMedia(request);
    const canceled = new AbortController();
    response.once('close', () => canceled.abort());
    const lines = request.headers.accept?.includes(linesType) === true ? new Lines(response) : null;
    const { name, webp, pagesMax, secondsMax } = query;
    // The server sends nothing while it reads a long file, unless the client accepts NDJSON, so the timeout is extended.
    request.setTimeout((secondsMax ?? documentSecondsMax) * msPerSecond + silentConnectionMs);
    const options = {
      ...{ name, webp, pagesMax, secondsMax, password: findPassword(request) },
      signal: canceled.signal,
      aside: <T>(task: () => Promise<T>) => aside(response, task),
      onProgress: (progress: object) => lines?.write({ progress }),
    };
    try {
      const record = await sandbox.documents.addFile(request, toDetails(query), options);
      await sandbox.settled();
      const document = await view(sandbox, record, request);
      if (lines === null) response.status(201).json(document);
      else lines.end({ document });
    } catch (error) {
      if (canceled.signal.aborted && response.closed) return;
      if (lines === null) throw error;
      reportFault(onFault, request, error);
      lines.end(
        errorBody(error instanceof NudgeLabError ? error : new NudgeLabError('internal-error'), getRequestId(response)),
      );
    }
  };
}

const msPerSecond = 1_000;
const linesType = 'application/x-ndjson';

/** NDJSON response. Its header is sent with the first line, so earlier failures can still set the status. */
class Lines {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
  }

  write(line: object): void {
    if (!this.#response.headersSent)
      this.#response.writeHead(200, { 'Content-Type': linesType, 'Cache-Control': 'no-store' });
    this.#response.write(`${JSON.stringify(line)}\n`);
  }

  end(line: object): void {
    this.write(line);
    this.#response.end();
  }
}

/** Rejects bodies that are neither a PDF nor untyped bytes. */
function refuseOtherMedia({ headers }: Request): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? 'application/octet-stream';
  if (type === 'application/pdf' || type === 'application/octet-stream') return;
  throw new NudgeLabError('unsupported-media-type', {
    message: `The media type of the body is ${type}; send application/pdf.`,
  });
}

/** Returns the file password. Throws `bad-request` if it is not percent-encoded, too long, or invalid. */
function findPassword({ headers }: Request): string | undefined {
  const sent = headers[passwordHeader.toLowerCase()];
  if (typeof sent !== 'string') return undefined;
  const parsed = filePassword.safeParse(decoded(sent));
  if (parsed.success) return parsed.data;
  // The message omits the value because it is a secret.
  const message = `must be percent-encoded UTF-8, at most ${documentPasswordCharactersMax} characters, without null characters`;
  throw new NudgeLabError('bad-request', { problems: [{ location: passwordHeader, message }] });
}

/** Decodes a percent-encoded text. Returns `null` if the encoding is invalid. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the document details in the query. Throws `bad-request` if they are invalid. */
function toDetails(query: z.output<typeof documentFileQuery>): DocumentDetails {
  const {
    name: _,
    webp: _too,
    pagesMax: _also,
    secondsMax: _as,
    tags,
    timing,
    startMs,
    pageMs,
    visibilityMs,
    ...rest
  } = query;
  const steps = Object.entries({ startMs, pageMs, visibilityMs }).filter(([, value]) => value !== undefined);
  return parseOr(
    'bad-request',
    documentDetailsSchema,
    {
      ...rest,
      tags:
        tags
          ?.split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== '') ?? [],
      timing: timing === 'by-hand' ? timing : Object.fromEntries(steps),
    },
    'query',
  );
}

async function view(
  sandbox: Sandbox,
  record: DocumentRecord,
  request: Request,
): Promise<ResponseBody<typeof documentResponse>> {
  const addresses = await sandbox.documentRequests.createUrls(record, getDocumentLocation(request, sandbox.id));
  const { site_url: siteUrl, cover_image: coverUrl } = createSummary(record, 0, addresses);
  const { id, uid, title, slug, description, state, owner, tags } = record;
  return {
    ...{ id, uid, title, slug, description, state, pending: isPending(record), public: record.public },
    ...{ listed: record.listed, owner, tags, pages: countPages(record), processed: countShownPages(record) },
    source: record.source.kind,
    createdAt: toInstant(record.createdAtMs),
    modifiedAt: toInstant(record.modifiedAtMs),
    recordUrl: followedAddress(record, addresses),
    siteUrl,
    coverUrl,
  };
}

/** Searches the pages of all documents and returns the matches with an excerpt of their text. */
async function pagesWith(
  sandbox: Sandbox,
  { words, limit }: z.output<typeof documentPagesQuery>,
  request: Request,
): Promise<ResponseBody<typeof documentPagesResponse>> {
  const match = parseSearchExpression(words);
  if (match === null) return { pages: [], total: 0 };
  const { documents } = sandbox;
  const { rows, total } = await documents.index.pages({ match, whole: true }, { limit, offset: 0 });
  const pages = rows.map(async ({ documentId, number }) => {
    const record = documents.get(documentId);
    const addresses = await sandbox.documentRequests.createUrls(record, getDocumentLocation(request, sandbox.id));
    const siteUrl = new URL(createSummary(record, 0, addresses).site_url);
    siteUrl.searchParams.set('page', String(number));
    siteUrl.searchParams.set('q', words);
    const { content } = await documents.page(record, number);
    const found = { document: documentId, title: record.title, page: number };
    return { ...found, excerpt: excerpt(content, words), siteUrl: siteUrl.href };
  });
  return { pages: await Promise.all(pages), total };
}

/** Parses the document id in the path. Throws `document-not-found` if it is not an id. */
function parseId(named: string): number {
  if (/^\d{1,15}$/.test(named)) return Number(named);
  throw new NudgeLabError('document-not-found', { message: `Document "${named}" does not exist.` });
}
