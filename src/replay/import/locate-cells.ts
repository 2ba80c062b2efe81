import { createReadStream } from 'node:fs';
import { isPlainObject } from '../../core/merge-patch.ts';
import { find, readColumns, sameName, textSql } from './columns.ts';
import { type CsvFile, csvRecordBytesMax } from './csv-file.ts';
import { csvRecord } from './csv-record.ts';
import { type DuckDbSession, fileLiteral, literal } from './duckdb-session.ts';
import { JsonObjects } from './json-objects.ts';
import type { SourceFile } from './source-file.ts';

/** Text in a column of a sign-in log. */
export interface Cell {
  readonly column: string;
  readonly text: string;
}

/**
 * Finds the first line of each text in a column. It reads the files again, so it is called for errors only.
 *
 * @returns a place for each cell, such as `sign-ins.csv:17`; the names of all files for a text that is not found
 */
export async function locateCells(
  session: DuckDbSession,
  files: readonly SourceFile[],
  cells: readonly Cell[],
): Promise<readonly string[]> {
  const places = new Map<Cell, string>();
  for (const file of files) {
    const missing = cells.filter((cell) => !places.has(cell));
    if (missing.length === 0) break;
    if (file.kind === 'parquet') await locateInParquet(session, file, missing, places);
    else await locateInText(file, missing, places);
  }
  const all = files.map(({ name }) => name).join(', ');
  return cells.map((cell) => places.get(cell) ?? all);
}

async function locateInParquet(
  session: DuckDbSession,
  { name, path }: SourceFile,
  cells: readonly Cell[],
  places: Map<Cell, string>,
): Promise<void> {
  const source = `read_parquet(${fileLiteral(path)})`;
  const columns = await readColumns(session, source);
  for (const cell of cells) {
    const sql = textSql(find(columns, [cell.column]));
    const [row] = await session.rows(
      `SELECT min(file_row_number) FROM ${source} WHERE trim(${sql}) = ${literal(cell.text)}`,
    );
    const number = row?.[0] ?? null;
    if (number !== null) places.set(cell, `${name}: row ${Number(number) + 1}`);
  }
}

async function locateInText(file: SourceFile, cells: readonly Cell[], places: Map<Cell, string>): Promise<void> {
  const rows = file.csv === null ? jsonRows(file.text) : csvRows(file.text, file.csv);
  const missing = new Set(cells);
  for await (const { line, read } of rows) {
    for (const cell of missing) {
      if (read(cell.column)?.trim() !== cell.text) continue;
      places.set(cell, `${file.name}:${line}`);
      missing.delete(cell);
    }
    if (missing.size === 0) return;
  }
}

/** Row of a text file with the line on which it begins. */
interface TextRow {
  readonly line: number;
  /** Returns the text in a column, or `null` if the row has none. */
  readonly read: (column: string) => string | null;
}

async function* jsonRows(path: string): AsyncGenerator<TextRow, void> {
  const objects = new JsonObjects();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const { line, bytes } of objects.push(chunk)) {
      const row = bytes === null ? null : parseJson(Buffer.from(bytes).toString('utf8'));
      yield { line, read: (column) => readNested(row, column) };
    }
  }
}

async function* csvRows(path: string, { form, columns }: CsvFile): AsyncGenerator<TextRow, void> {
  let [held, line, isHeader]: [Buffer, number, boolean] = [Buffer.alloc(0), 1, true];
  for await (const { bytes, isEnd } of withEnd(createReadStream(path) as AsyncIterable<Buffer>)) {
    held = Buffer.concat([held, bytes]);
    let at = 0;
    while (at < held.length) {
      const record = csvRecord(held, at, form, isEnd || held.length - at > csvRecordBytesMax);
      if (record.isUnfinished) break;
      const texts = (record.fields ?? []).map(({ from, to, isQuoted }) => {
        const text = held.toString('utf8', from, to);
        return isQuoted ? text.slice(1, -1).replaceAll(`${form.mark}"`, '"') : text;
      });
      const beginsAt = line;
      line += record.lines;
      at = record.next;
      // A separate first line can declare the separator; the header follows it.
      if (isHeader) isHeader = beginsAt === 1 && texts.length < columns.length;
      else yield { line: beginsAt, read: (column) => readNested(toRow(columns, texts), column) };
    }
    held = held.subarray(at);
  }
}

function toRow(columns: readonly string[], texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? '']));
}

async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isEnd: boolean }, void> {
  for await (const bytes of chunks) yield { bytes, isEnd: false };
  yield { bytes: Buffer.alloc(0), isEnd: true };
}

/** Returns the text of a column of a row; a dot leads into a nested object, or into the JSON of a text. */
function readNested(row: unknown, column: string): string | null {
  if (!isPlainObject(row)) return null;
  const key = Object.keys(row).find((name) => sameName(name) === sameName(column));
  if (key !== undefined) return toText(row[key]);
  const [outer = '', ...inner] = column.split('.');
  if (inner.length === 0) return null;
  const holder = Object.keys(row).find((name) => sameName(name) === sameName(outer));
  if (holder === undefined) return null;
  const value = row[holder];
  return readNested(typeof value === 'string' ? parseJson(value) : value, inner.join('.'));
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
