import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { CsvCheck, type CsvForm, csvRecord, type QuoteMark } from './csv-record.ts';
import type { Faults } from './file-faults.ts';

/** CSV file for the database: its format, its columns, and whether it has a header. */
export interface CsvFile {
  readonly path: string;
  readonly form: CsvForm;
  readonly columns: readonly string[];
  /** Number of lines before the first row. */
  readonly linesSkipped: number;
}

/** Maximum size of a record in bytes; a longer one is not a row of an export. */
export const csvRecordBytesMax = 16_777_216;

const chunkBytes = 1_048_576;
const delimiters = [',', ';', '\t', '|'] as const;
const lineFeed = Buffer.from('\n');
const quote = 0x22;
const carriageReturn = 0x0d;

/**
 * Prepares a UTF-8 CSV file. A file whose lines all have as many fields as its header is used unchanged. Any other file
 * is rewritten, and invalid rows are counted (decision 064).
 * @param folder - output folder
 * @param faults - collection to which the counts are added
 */
export async function csvFile(path: string, folder: string, number: number, faults: Faults): Promise<CsvFile> {
  const head = await readHead(path);
  const { form, columns, bytes, lines } = firstLine(head);
  const check = new CsvCheck(form, columns.length, csvRecordBytesMax);
  if (await fits(path, bytes, check)) return { path, form, columns, linesSkipped: lines };
  const to = join(folder, `rows-${number}.csv`);
  await rewriteRows({ path, to, from: bytes, line: lines + 1 }, { form, width: columns.length }, faults);
  return { path: to, form: { ...form, lineEnd: '\n' }, columns, linesSkipped: 0 };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Separator declaration that spreadsheets write as a separate first line. */
const separatorLine = /^"?sep=(.)"?\r?\n/i;

/** Parses the first line; the separator is the candidate that occurs most often in it. */
function firstLine(head: Buffer): { form: CsvForm; columns: readonly string[]; bytes: number; lines: number } {
  const text = head.toString('latin1');
  // In this file, quotes of an object within a field are escaped with a backslash and not doubled.
  const mark: QuoteMark = /\{\\"(?!")/.test(text) ? '\\' : '"';
  const [line = '', said] = separatorLine.exec(text) ?? [];
  const tried = said === undefined ? delimiters : [said];
  const [best] = tried
    .map((delimiter) => {
      const record = csvRecord(head, line.length, { delimiter, mark }, true);
      const lineEnd = head[record.next - 2] === carriageReturn ? ('\r\n' as const) : ('\n' as const);
      return {
        form: { delimiter, mark, lineEnd },
        fields: record.fields ?? [],
        next: record.next,
        lines: record.lines,
      };
    })
    .toSorted((a, b) => b.fields.length - a.fields.length);
  if (best === undefined) throw new Error('At least one CSV dialect must be defined.');
  const names = best.fields.map((field) => decodeText(head.subarray(field.from, field.to), field.isQuoted, mark));
  return { form: best.form, columns: unlike(names), bytes: best.next, lines: best.lines + (line === '' ? 0 : 1) };
}

function decodeText(bytes: Buffer, isQuoted: boolean, mark: QuoteMark): string {
  const text = bytes.toString('utf8');
  return (isQuoted ? text.slice(1, -1).replaceAll(`${mark}"`, '"') : text).replaceAll(/\p{Cc}/gu, '').trim();
}

/** Appends the column number to empty and duplicate names. */
function unlike(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name, place) => {
    const key = name.toLowerCase();
    const own = name === '' || seen.has(key) ? `${name}_${place}` : name;
    seen.add(own.toLowerCase());
    return own;
  });
}

async function fits(path: string, from: number, check: CsvCheck): Promise<boolean> {
  const chunks = createReadStream(path, { start: from, highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) if (!check.push(chunk)) return false;
  return check.end();
}

interface Rewriting {
  readonly path: string;
  readonly to: string;
  /** Byte offset and line number of the first row. */
  readonly from: number;
  readonly line: number;
}

/** Rewrites the rows, each with as many fields as there are columns. */
async function rewriteRows(
  { path, to, from, line: firstRow }: Rewriting,
  { form, width }: { readonly form: CsvForm; readonly width: number },
  faults: Faults,
): Promise<void> {
  const out = createWriteStream(to);
  const row = new RowWriter(form, width, faults);
  let held: Buffer = Buffer.alloc(0);
  let line = firstRow;
  let isOverlong = false;
  const take = (isEnd: boolean): Uint8Array[] => {
    const parts: Uint8Array[] = [];
    let at = isOverlong ? held.indexOf(lineFeed) + 1 : 0;
    if (isOverlong && at === 0) at = held.length;
    else isOverlong = false;
    while (at < held.length) {
      const isLong = held.length - at > csvRecordBytesMax;
      const record = csvRecord(held, at, form, isEnd || isLong);
      if (record.isUnfinished) break;
      const bytes = record.next - at;
      if (bytes > csvRecordBytesMax) {
        faults.add('too-large', `line ${line}`);
        isOverlong = record.isLast;
      } else if (record.fields === null) faults.add('not-csv', `line ${line}`);
      else parts.push(...row.bytes(held, record.fields, { line, isCut: isEnd && record.isLast }));
      line += record.lines;
      at = record.next;
    }
    held = held.subarray(at);
    return parts;
  };
  const chunks = createReadStream(path, { start: from, highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  const write = async (parts: readonly Uint8Array[]): Promise<void> => {
    if (parts.length > 0 && !out.write(Buffer.concat(parts))) {
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
    }
  };
  let wanted = 0;
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    parts.push(chunk);
    wanted -= chunk.length;
    if (wanted > 0) continue;
    held = Buffer.concat([held, ...parts]);
    parts = [];
    await write(take(false));
    // A long record is parsed again only after its size has doubled.
    wanted = Math.min(held.length, csvRecordBytesMax);
  }
  held = Buffer.concat([held, ...parts]);
  await write(take(true));
  out.end();
  await finished(out);
}

type Fields = NonNullable<ReturnType<typeof csvRecord>['fields']>;

/** Writes rows with as many fields as there are columns, and counts rows with another number of fields. */
class RowWriter {
  readonly #form: CsvForm;
  readonly #width: number;
  readonly #faults: Faults;

  constructor(form: CsvForm, width: number, faults: Faults) {
    this.#form = form;
    this.#width = width;
    this.#faults = faults;
  }

  /**
   * Returns the bytes of a row, or nothing if it is left out. If a row has too many fields, the extra one cannot be
   * identified, so none of its fields is reliable.
   */
  bytes(buffered: Buffer, fields: Fields, { line, isCut }: { line: number; isCut: boolean }): readonly Uint8Array[] {
    const [first] = fields;
    if (first === undefined || (fields.length === 1 && first.from === first.to)) return [];
    if (fields.length < this.#width && isCut) {
      this.#faults.add('cut-off', `line ${line}`);
      return [];
    }
    if (fields.slice(this.#width).some(({ from, to }) => from !== to)) {
      this.#faults.add('more-fields', `line ${line}: ${fields.length} for ${this.#width} columns`);
      return [];
    }
    if (fields.length > this.#width) this.#faults.add('more-delimiters', `line ${line}`);
    if (fields.length < this.#width) {
      this.#faults.add('fewer-fields', `line ${line}: ${fields.length} for ${this.#width} columns`);
    }
    const written = fields.slice(0, this.#width).flatMap((field, place) => {
      const value = this.#field(buffered.subarray(field.from, field.to), field.isQuoted);
      return place === 0 ? [value] : [Buffer.from(this.#form.delimiter), value];
    });
    const missing = this.#form.delimiter.repeat(Math.max(0, this.#width - fields.length));
    return [...written, Buffer.from(missing), lineFeed];
  }

  #field(bytes: Buffer, isQuoted: boolean): Buffer {
    if (isQuoted || !bytes.includes(quote)) return bytes;
    return Buffer.from(`"${bytes.toString('latin1').replaceAll('"', `${this.#form.mark}"`)}"`, 'latin1');
  }
}
