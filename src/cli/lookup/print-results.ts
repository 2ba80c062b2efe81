import type { TextSink } from '../context.ts';
import { print, printFile, printJson } from '../print.ts';

/** Response to a lookup. */
export interface LookedUp {
  readonly query: string;
  readonly type: string;
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Prints a response in one format. The text format is a table of all tools or the result of one tool. */
export function printResults(
  sink: TextSink,
  answer: LookedUp,
  { format, isTable }: { readonly format: 'text' | 'csv' | 'json'; readonly isTable: boolean },
): void {
  switch (format) {
    case 'json':
      printJson(sink, answer, 2);
      break;
    case 'csv':
      printFile(sink, csv(answer));
      break;
    case 'text':
      print(sink, answer, isTable ? table : list);
  }
}

const tableFields = ['found', 'username', 'profile_url'];

function table({ results }: LookedUp): string {
  const rows = Object.entries(results).map(([tool, result]) => [
    tool,
    ...tableFields.map((field) => asText(result[field])),
  ]);
  const cells = [['tool', ...tableFields], ...rows];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const found = Object.values(results).filter((result) => result['found'] === true).length;
  return `${lines.join('\n')}\n\n${found} of ${rows.length} tools have an account.\n`;
}

function list({ results }: LookedUp): string {
  const lines = Object.entries(results).flatMap(([tool, result]) => [
    tool,
    ...Object.entries(result).map(([field, value]) => `  ${field}: ${asText(value)}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Formats one row per tool as CSV (RFC 4180), with a column for every field of any tool. */
function csv({ results }: LookedUp): string {
  const fields = [...new Set(Object.values(results).flatMap((result) => Object.keys(result)))];
  const rows = Object.entries(results).map(([tool, result]) => [tool, ...fields.map((field) => asText(result[field]))]);
  return [['tool', ...fields], ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
