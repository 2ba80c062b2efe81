import { seededBytes } from '../../core/seeded-key.ts';
import type { DocumentSeries } from '../../journal/document-state.ts';

const idDigits = 12;

/**
 * Creates the unique identifier of a record from the sandbox's random seed and the id alone, so test runs are
 * repeatable.
 */
export function createUid(sandboxSeed: number, id: number): string {
  const hex = seededBytes(`${sandboxSeed} ${id}`, 'document uid', 16).toString('hex');
  return formatUuid(hex.slice(0, 20), hex.slice(20));
}

const beginnings = new WeakMap<DocumentSeries, string>();

/**
 * Creates the unique identifier of a record in a series, which ends with the id, so the record can be found without
 * a list of all.
 */
export function seriesUid(series: DocumentSeries, id: number): string {
  let beginning = beginnings.get(series);
  if (beginning === undefined) {
    beginning = seededBytes(`${series.seed} ${series.firstId}`, 'document series uid', 10).toString('hex');
    beginnings.set(series, beginning);
  }
  return formatUuid(beginning, id.toString(16).padStart(idDigits, '0'));
}

/**
 * Returns the id at the end of a series record's unique identifier. `hex` is the identifier as 32 hexadecimal
 * digits.
 */
export function idInUid(hex: string): number {
  return Number.parseInt(hex.slice(-idDigits), 16);
}

/** Formats 20 and 12 hexadecimal digits as a version 4 UUID. */
function formatUuid(beginning: string, end: string): string {
  return `${beginning.slice(0, 8)}-${beginning.slice(8, 12)}-4${beginning.slice(13, 16)}-8${beginning.slice(17, 20)}-${end}`;
}
