import type { DocumentMove } from '../contract/document.schema.ts';
import type { DocumentStep } from '../contract/document-step.schema.ts';
import type { TokenRequestBody } from './token-request.ts';

/** Request to the document records API, as described by a step. */
export interface DocumentApiCall {
  readonly kind: 'api';
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query relative to the sandbox. */
  readonly path: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Contents of the access token, `null` for no token, or a text that is an invalid token. */
  readonly token: TokenRequestBody | string | null;
}

/** Change that a step makes to the documents of its sandbox without the API. */
export type DocumentAct =
  | { readonly kind: 'add'; readonly document: NonNullable<DocumentStep['add']> }
  | { readonly kind: 'series'; readonly series: NonNullable<DocumentStep['series']> }
  | { readonly kind: 'move'; readonly id: number; readonly move: DocumentMove; readonly pages?: number | undefined }
  | { readonly kind: 'remove'; readonly id: number };

const moves = ['publish', 'unpublish', 'reprocess', 'start'] as const;
const api = '/api/v1';

/** Converts a step to an API request or a direct change. */
export function toDocumentCall(step: DocumentStep): DocumentApiCall | DocumentAct {
  if (step.add !== undefined) return { kind: 'add', document: step.add };
  if (step.series !== undefined) return { kind: 'series', series: step.series };
  if (step.remove !== undefined) return { kind: 'remove', id: step.remove };
  if (step.process !== undefined) return { kind: 'move', ...step.process, move: 'process' };
  for (const move of moves) {
    const id = step[move];
    if (id !== undefined) return { kind: 'move', id, move };
  }
  return { kind: 'api', token: getToken(step.as), ...createRequest(step) };
}

function createRequest(step: DocumentStep): Pick<DocumentApiCall, 'method' | 'path' | 'headers' | 'body'> {
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const query = step.uid === undefined ? '' : `?uid=${encodeURIComponent(step.uid)}`;
  if (step.update !== undefined) {
    const { id, method, raw, ...fields } = step.update;
    const json = { 'content-type': 'application/json' };
    return {
      method,
      path: `${api}/document/${id}/${query}`,
      headers: { ...json, ...headers },
      body: raw ?? JSON.stringify(fields),
    };
  }
  if (step.request !== undefined) {
    const { method, path, raw } = step.request;
    return { method, path, headers, body: raw ?? null };
  }
  const rest = { method: 'GET' as const, headers, body: null };
  if (step.get !== undefined) return { ...rest, path: `${api}/document/${step.get}/${query}` };
  const parameters = step.list ?? step.pages ?? {};
  const written = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (step.uid !== undefined) written.set('uid', step.uid);
  const list = step.list === undefined ? 'page' : 'document';
  return { ...rest, path: `${api}/${list}/${written.size === 0 ? '' : `?${written}`}` };
}

function getToken(as: DocumentStep['as']): DocumentApiCall['token'] {
  if (as === undefined || as === 'none') return null;
  if (as === 'invalid') return as;
  return typeof as === 'string' ? { user: as, permissions: ['read:document', 'write:document'] } : as;
}
