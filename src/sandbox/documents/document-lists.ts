import type { ListMeta } from '../../contract/document.schema.ts';
import { computeDigest } from '../../core/digest.ts';
import { ifNoneMatchHolds } from '../policy-conditions.ts';
import { answer, type DocumentRequest, type DocumentResponse } from './document-exchange.ts';
import { type ListWindow, neighborAddress, parseListWindow } from './document-queries.ts';

/** Rows of a list as JSON, with the total number of rows. */
export interface ListTexts {
  readonly texts: readonly string[];
  readonly total: number;
}

/** Empty list. */
export const emptyList: ListTexts = { texts: [], total: 0 };

export const listMethods = 'GET, HEAD, OPTIONS';

/** Creates the response for a list: its rows in the envelope, or 304 if the client already has them. */
export function listAnswer(request: DocumentRequest, { total, texts }: ListTexts): DocumentResponse {
  const { headers, query } = request;
  const meta = JSON.stringify(createMeta(request, parseListWindow(query), total));
  const bytes = Buffer.from(`{"meta":${meta},"objects":[${texts.join()}]}`);
  const etag = `"${computeDigest(bytes.toString())}"`;
  const always = { Allow: listMethods, Vary: 'Accept', ETag: etag, 'Cache-Control': 'no-cache' };
  if (headers.ifNoneMatch !== undefined && ifNoneMatchHolds(headers.ifNoneMatch, etag)) {
    return { status: 304, headers: always, body: null };
  }
  return answer(200, bytes, always);
}

function createMeta(request: DocumentRequest, { limit, offset }: ListWindow, total: number): ListMeta {
  const address = `${request.base}${request.path}`;
  const at = (from: number): string => neighborAddress(address, request.query, { limit, offset: from });
  return {
    limit,
    next: offset + limit < total ? at(offset + limit) : null,
    offset,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    total_count: total,
  };
}
