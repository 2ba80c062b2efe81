import { type Request, type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { countShownPages, type DocumentRecord } from '../../journal/document-state.ts';
import { readingPath } from '../../sandbox/documents/document-paths.ts';
import { createSummary } from '../../sandbox/documents/document-view.ts';
import { parseSearchExpression } from '../../sandbox/documents/search-expression.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { FaultListener } from '../faults.ts';
import { toPageTenant } from '../identity/brand.ts';
import { pageErrors } from '../identity/page-errors.ts';
import { sendPage } from '../identity/send-page.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { getDocumentLocation } from './document-place.ts';
import { type ReadingView, readingPage } from './reading.page.ts';

const named = /^\/(\d{1,15})(?:-[^/]*)?(\/)?$/;

/** Maximum number of listed matches. The total can be higher. */
const hitsShown = 50;

const queryCharactersMax = 200;

/** Content security policy that adds images from this server to the strict policy of all pages. */
const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Creates the route for the reading page at `site_url`. `onFault` is the listener for unexpected errors. */
export function readingRoute(sandboxes: Sandboxes, { onFault }: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  router.use(readingPath, resolveSandbox(sandboxes), readDocument, pageErrors(onFault, 'documents'));
  return router;
}

const readDocument: RequestHandler = async (request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new NudgeLabError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
  }
  const sandbox = getSandbox(response);
  await sandbox.documents.ready();
  const [, id, slash] = named.exec(request.path) ?? [];
  if (id === undefined) throw new NudgeLabError('not-found', { message: 'The document does not have this page.' });
  const record = sandbox.documents.get(Number(id));
  await admit(sandbox, record, request);
  const { prefix } = getDocumentLocation(request, sandbox.id);
  const path = `${prefix}${readingPath}/${record.slug === '' ? record.id : `${record.id}-${record.slug}`}/`;
  if (slash === undefined || request.originalUrl.split('?', 1)[0] !== path) {
    response.redirect(301, `${path}${getQuery(request)}`);
    return;
  }
  const headers = { 'Content-Security-Policy': contentPolicy };
  sendPage(response, 200, readingPage(await createView(sandbox, record, request)), { headers });
};

/** Grants access to holders of a valid token for a private record. All other requests follow the rules of the API. */
async function admit(sandbox: Sandbox, record: DocumentRecord, request: Request): Promise<void> {
  const { token, uid } = request.query;
  if (!record.public && typeof token === 'string' && (await sandbox.fileTokens.holds(record.uid, token))) return;
  sandbox.documentRequests.admit(record, typeof uid === 'string' ? uid : null, null);
}

async function createView(sandbox: Sandbox, record: DocumentRecord, request: Request): Promise<ReadingView> {
  const addresses = await sandbox.documentRequests.createUrls(record, getDocumentLocation(request, sandbox.id));
  const shownPages = countShownPages(record);
  const number = Math.min(Math.max(1, wholeNumber(request.query['page'])), Math.max(1, shownPages));
  const query = toText(request.query['q']);
  const proof = ['token', 'uid'].flatMap((name): [string, string][] => {
    const value = request.query[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const at = (page: number): string =>
    `?${new URLSearchParams([['page', String(page)], ...(query === '' ? [] : [['q', query]]), ...proof] as [string, string][])}`;
  return {
    tenant: toPageTenant(sandbox),
    document: createSummary(record, 0, addresses),
    shownPages,
    number,
    page: shownPages === 0 ? null : await sandbox.documents.page(record, number),
    query,
    hits: query === '' ? null : await findHits(sandbox, record, query),
    at,
    proof,
  };
}

async function findHits(sandbox: Sandbox, record: DocumentRecord, query: string): Promise<ReadingView['hits']> {
  const match = parseSearchExpression(query);
  if (match === null) return { rows: [], total: 0 };
  const window = { limit: hitsShown, offset: 0 };
  const { rows, total } = await sandbox.documents.index.pages({ documentId: record.id, match }, window);
  const texts = rows.map(async ({ number }) => ({
    number,
    content: (await sandbox.documents.page(record, number)).content,
  }));
  return { rows: await Promise.all(texts), total };
}

function wholeNumber(value: unknown): number {
  return typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : 1;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, queryCharactersMax) : '';
}

function getQuery({ originalUrl }: Request): string {
  const queryAt = originalUrl.indexOf('?');
  return queryAt === -1 ? '' : originalUrl.slice(queryAt);
}
