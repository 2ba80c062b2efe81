import { seededBytes } from '../../core/seeded-key.ts';
import type { DocumentSeries } from '../../journal/document-state.ts';

const idDigits = 12;

/** The unique identifier of a record: the same for the same sandbox seed and id, so that a run repeats. */
export function createUid(sandboxSeed: number, id: number): string {
  const hex = seededBytes(`${sandboxSeed} ${id}`, 'document uid', 16).toString('hex');
  return formatUuid(hex.slice(0, 20), hex.slice(20));
}

const beginnings = new WeakMap<DocumentSeries, string>();

/** The unique identifier of a record of a series: it ends in the id, so that the record is found without a list of all. */
export function seriesUid(series: DocumentSeries, id: number): string {
  let beginning = beginnings.get(series);
  if (beginning === undefined) {
    beginning = seededBytes(`${series.seed} ${series.firstId}`, 'document series uid', 10).toString('hex');
    beginnings.set(series, beginning);
  }
  return formatUuid(beginning, id.toString(16).padStart(idDigits, '0'));
}

/** The id at the end of a unique identifier of a series. Takes its 32 hexadecimal digits. */
export function idInUid(hex: string): number {
  return Number.parseInt(hex.slice(-idDigits), 16);
}

/** A UUID of version 4 from 20 and 12 hexadecimal digits. */
function formatUuid(beginning: string, end: string): string {
  return `${beginning.slice(0, 8)}-${beginning.slice(8, 12)}-4${beginning.slice(13, 16)}-8${beginning.slice(17, 20)}-${end}`;
}
