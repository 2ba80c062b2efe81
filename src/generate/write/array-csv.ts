import { type Artefact, createSlug, type Heading } from './artefact.ts';

/** Covering array: parameter names, and the values of each row. */
export interface WrittenArray {
  readonly factors: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Formats an array as CSV (RFC 4180), with a header, CR LF line ends, and quotes where needed. An apostrophe precedes
 * text that a spreadsheet would interpret as a formula.
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

/** First characters of spreadsheet formulas, including full-width forms. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function quoted(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
