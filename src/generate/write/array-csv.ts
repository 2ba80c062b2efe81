import { type Artefact, createSlug, type Heading } from './artefact.ts';

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
  const text = [factors, ...rows.map((row) => row.map(cell))].map(record).join('');
  return { path: `${createSlug(title)}.csv`, text };
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function record(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Signs by which a spreadsheet knows a formula, the wide ones of other keyboards too. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function quoted(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
