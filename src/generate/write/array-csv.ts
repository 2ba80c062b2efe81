import { stringify } from 'csv-stringify/sync';
import { type Artefact, type Heading, slugOf } from './artefact.ts';

/** A covering array: the factors by name, and for each row a value of each. */
export interface WrittenArray {
  readonly factors: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * An array as CSV of RFC 4180: a header, lines that end in CR LF, quotes where they are needed. A text that a spreadsheet would
 * take for a formula has an apostrophe before it.
 */
export function arrayCsv({ factors, rows }: WrittenArray, { title }: Heading): Artefact {
  const text = stringify([[...factors], ...rows.map((row) => row.map(cell))], {
    record_delimiter: '\r\n',
    escape_formulas: true,
  });
  return { path: `${slugOf(title)}.csv`, text };
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
