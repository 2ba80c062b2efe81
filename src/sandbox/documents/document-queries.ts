import { documentRowsMax } from '../../contract/document-limits.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import type { DocumentFilter, PageFilter } from './record-index.ts';
import { parseSearchExpression } from './search-expression.ts';

/** Range of the requested rows in a list. */
export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
}

const wholeNumber = /^\d{1,15}$/;

/** Parses the requested range of rows. Invalid values are corrected and never rejected. */
export function parseListWindow(query: URLSearchParams): ListWindow {
  const limit = parseNumber(query, 'limit');
  return {
    limit: limit === null || limit === 0 ? documentRowsMax : Math.min(limit, documentRowsMax),
    offset: parseNumber(query, 'offset') ?? 0,
  };
}

/**
 * Returns the URL of another page of a list with all other parameters unchanged, or `null` if there is no such
 * page.
 */
export function neighborAddress(address: string, query: URLSearchParams, { limit, offset }: ListWindow): string {
  const other = new URLSearchParams(query);
  other.set('limit', String(limit));
  if (offset > 0) other.set('offset', String(offset));
  else other.delete('offset');
  return `${address}?${other}`;
}

/**
 * Parses the filter of a document list. Returns `null` if nothing can match. Throws `bad-request` with every
 * invalid value.
 */
export function parseDocumentFilter(query: URLSearchParams): DocumentFilter | null {
  const reader = new FilterReader(query);
  const ids = reader.list('ids');
  const tag = reader.text('tag');
  const createdAfterMs = reader.instant('created_at_after');
  const createdBeforeMs = reader.instant('created_at_before');
  const publicbody = reader.number('publicbody');
  const foirequest = reader.number('foirequest');
  const match = reader.words('q');
  reader.refuse();
  if (match === null) return null;
  return { ...present({ ids, tag, createdAfterMs, createdBeforeMs, publicbody, foirequest, match }) };
}

/**
 * Parses the filter of a page list. Returns `null` if nothing can match. Throws `bad-request` with every invalid
 * value.
 */
export function parsePageFilter(query: URLSearchParams): PageFilter | null {
  const reader = new FilterReader(query);
  const documentId = reader.number('document');
  const number = reader.number('number');
  const match = reader.words('q');
  reader.refuse();
  // Page numbers start at 1.
  if (match === null || number === 0) return null;
  return { ...present({ documentId, number, match }) };
}

/**
 * Parses query parameters and collects their problems. The last of several values counts, and empty values are
 * ignored.
 */
class FilterReader {
  readonly #query: URLSearchParams;
  readonly #problems: ValidationProblem[] = [];

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  text(name: string): string | undefined {
    const text = this.#query.getAll(name).at(-1)?.trim();
    if (text?.includes('\0') === true) this.#note(name, 'Null characters are not allowed.');
    return text === '' ? undefined : text;
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!wholeNumber.test(text)) this.#note(name, 'Enter a whole number.');
    return Number(text);
  }

  list(name: string): readonly number[] | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (parts.length > documentIdsMax) this.#note(name, `Enter at most ${documentIdsMax} numbers.`);
    if (!parts.every((part) => wholeNumber.test(part))) this.#note(name, 'Enter whole numbers, separated by commas.');
    return parts.map(Number);
  }

  instant(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    // The plus sign of an offset is decoded as a space if it was not percent-encoded.
    const atMs = instantForm.test(text) ? parseInstant(withOffset(text)) : null;
    if (atMs === null) this.#note(name, 'Enter a valid date/time.');
    return atMs ?? 0;
  }

  /** Parses a search expression. Returns `undefined` if the parameter is absent, or `null` if it contains no word. */
  words(name: string): string | null | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseSearchExpression(text);
  }

  refuse(): void {
    if (this.#problems.length > 0) throw new NudgeLabError('bad-request', { problems: this.#problems });
  }

  #note(place: string, message: string): void {
    this.#problems.push({ location: place, message });
  }
}

const documentIdsMax = 1_000;

const instantForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+ -]\d\d:?\d\d)?)?$/i;

/** Completes an instant. A date means its start, and a time without an offset is in UTC. */
function withOffset(text: string): string {
  if (text.length === '2026-01-05'.length) return text;
  const time = text.slice(11);
  const whole = `${text.slice(0, 10)}T${time.replace(' ', '+')}`;
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time.replace(' ', '+')) ? whole : `${whole}Z`;
}

function present<T extends Readonly<Record<string, unknown>>>(
  given: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

function parseNumber(query: URLSearchParams, name: string): number | null {
  const text = query.getAll(name).at(-1) ?? '';
  return wholeNumber.test(text) ? Number(text) : null;
}
