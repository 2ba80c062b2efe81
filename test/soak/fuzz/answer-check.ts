import { findMisfit } from '../../schema-misfit.ts';
import { type Described, described } from './described-apis.ts';
import type { FuzzRequest } from './fuzz-requests.ts';

/** Response as received. */
export interface FuzzAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Matcher {
  readonly operation: Described;
  readonly pattern: RegExp;
}

const matchers: readonly Matcher[] = described.map((operation) => ({
  operation,
  pattern: new RegExp(
    `^${operation.path.replaceAll(/[.+*?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
    'i',
  ),
}));

/**
 * Returns the problem of a response, or `null` if there is none. Internal server errors, and statuses and bodies
 * that are missing in the document of the API, are problems.
 */
export function findFault(request: FuzzRequest, { status, type, text }: FuzzAnswer): string | null {
  if (status === 500 || status === 501 || status === 502 || status > 503)
    return `status ${status}: ${text.slice(0, 300)}`;
  if (status < 200) return `status ${status}`;
  if (request.method === 'HEAD' || request.page !== undefined) return null;
  const path = request.path.split('?')[0] ?? '';
  const operation = matchers.find(
    ({ operation: { method }, pattern }) => method === request.method && pattern.test(path),
  )?.operation;
  if (operation === undefined) return null;
  const response = operation.responses[String(status)] ?? operation.responses[`${Math.trunc(status / 100)}XX`];
  if (response === undefined)
    return `status ${status} is not described for ${operation.method} ${operation.path}: ${text.slice(0, 300)}`;
  const contents = Object.entries(response.content ?? {});
  if (contents.length === 0) return text === '' ? null : `a body where none is described: ${text.slice(0, 100)}`;
  const content = contents.find(([media]) => type.startsWith(media));
  if (content === undefined) return `media type "${type}" in place of ${contents.map(([media]) => media).join(', ')}`;
  const [media, { schema }] = content;
  if (schema === undefined || media !== 'application/json') return null;
  return describeMisfit(schema, text);
}

function describeMisfit(schema: object, text: string): string | null {
  const misfit = findMisfit(schema, parsed(text));
  return misfit === null ? null : `the answer breaks its schema at ${misfit}: ${text.slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Symbol('no JSON');
  }
}
