import type { ConformanceMapping } from '../../contract/conformance.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import { csvRecord } from '../../replay/import/csv-record.ts';
import { JsonObjects } from '../../replay/import/json-objects.ts';
import { textLineBatches } from '../../replay/text-lines.ts';
import type { LogEntry } from '../model/log-event.ts';
import { EntryMapper, type FieldReader } from './entry-mapper.ts';
import type { PeekedBytes } from './peek-bytes.ts';
import { sortEntries } from './sort-entries.ts';

/** What a mapping and a log have that the other lacks. */
export interface MappedRest {
  /** Number of events by value, for values without a meaning. */
  readonly unmapped: ReadonlyMap<string, number>;
  readonly ignored: number;
  /** Columns of the mapping that no row has. */
  readonly absent: ReadonlySet<string>;
}

/** Log that is being read by a mapping. */
export interface MappedLog {
  /** Entries in the order of the file, in batches. */
  readonly batches: AsyncIterable<readonly LogEntry[]>;
  /** Returns what was not checked so far. */
  readonly rest: () => MappedRest;
}

type JsonRow = Readonly<Record<string, unknown>>;

/** Number of entries of a batch. */
const batchEntries = 4_096;

/** Maximum size of a CSV record in bytes. */
const recordBytesMax = 1_048_576;

/**
 * Reads a log by a mapping: JSON Lines, JSON with a list of rows, or CSV with a line of column names.
 *
 * @param bytes - bytes of the file
 * @param file - name of the file, for errors
 * @throws NudgeLabError `log-invalid` for a row that cannot be read, with its line; `file-unreadable` for other files
 */
export function readRows(bytes: PeekedBytes, file: string, mapping: ConformanceMapping): MappedLog {
  const log = readInOrder(bytes, file, mapping);
  return mapping.order === 'time' ? { ...log, batches: sortEntries(log.batches) } : log;
}

function readInOrder({ first, all }: PeekedBytes, file: string, mapping: ConformanceMapping): MappedLog {
  const head = Buffer.from(first)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head === '') throw new NudgeLabError('file-unreadable', { message: `${file} is empty.` });
  if (head.startsWith('[') || isPage(head)) return readJson(all, file, mapping);
  if (head.startsWith('{')) return readJsonLines(all, file, mapping);
  return readCsv(all, file, mapping);
}

/** Checks whether a file is one JSON object with a list of rows, and not JSON Lines. */
function isPage(head: string): boolean {
  if (!head.startsWith('{')) return false;
  const [line = ''] = head.split('\n');
  try {
    return Array.isArray((JSON.parse(line) as JsonRow)['value']);
  } catch {
    return /^\{\s*("@[^"]*"\s*:\s*"[^"]*"\s*,\s*)*"value"\s*:\s*\[/.test(head) || line.trim() === '{';
  }
}

function mapped<Row>(mapper: EntryMapper<Row>, batches: AsyncIterable<readonly LogEntry[]>): MappedLog {
  return { batches, rest: () => mapper };
}

function readJsonLines(chunks: AsyncIterable<Uint8Array>, file: string, mapping: ConformanceMapping): MappedLog {
  const mapper = new EntryMapper<JsonRow>(mapping, file, jsonField);
  async function* batches(): AsyncGenerator<readonly LogEntry[], void> {
    let line = 0;
    for await (const lines of textLineBatches(chunks)) {
      const batch: LogEntry[] = [];
      for (const text of lines) {
        line += 1;
        if (text === '' || text.trim() === '') continue;
        const entry = mapper.convert(parseRow(text, file, line), line);
        if (entry !== null) batch.push(entry);
      }
      yield batch;
    }
  }
  return mapped(mapper, batches());
}

function readJson(chunks: AsyncIterable<Uint8Array>, file: string, mapping: ConformanceMapping): MappedLog {
  const mapper = new EntryMapper<JsonRow>(mapping, file, jsonField);
  async function* batches(): AsyncGenerator<readonly LogEntry[], void> {
    const objects = new JsonObjects();
    for await (const chunk of chunks) {
      yield objects.push(chunk).flatMap(({ line, bytes, problem }): readonly LogEntry[] => {
        if (bytes === null) throw invalidRow(file, line, problem ?? 'not-json');
        const entry = mapper.convert(parseRow(Buffer.from(bytes).toString('utf8'), file, line), line);
        return entry === null ? [] : [entry];
      });
    }
    for (const { line, problem } of objects.end()) throw invalidRow(file, line, problem ?? 'cut-off');
  }
  return mapped(mapper, batches());
}

function parseRow(text: string, file: string, line: number): JsonRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidRow(file, line, 'not-json', cause);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonRow;
  throw invalidRow(file, line, 'not-an-object');
}

const rowProblems: Readonly<Record<string, string>> = {
  'not-json': 'is not JSON',
  'not-an-object': 'is not a JSON object',
  'cut-off': 'is cut off: the file ends within the row',
  'too-large': 'is too large',
  'unbalanced-quotes': 'has quotes that are not closed',
};

function invalidRow(file: string, line: number, problem: string, cause?: unknown): NudgeLabError {
  const message = `the row ${rowProblems[problem] ?? problem}`;
  return new NudgeLabError('log-invalid', { problems: [{ location: `${file}:${line}`, message }], cause });
}

/** Returns the reader of a key, or of a path of keys. */
function jsonField(name: string): FieldReader<JsonRow> {
  if (!name.includes('.')) return (row) => (Object.hasOwn(row, name) ? row[name] : undefined);
  const path = name.split('.');
  return (row) => {
    if (Object.hasOwn(row, name)) return row[name];
    let value: unknown = row;
    for (const key of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as JsonRow)[key];
    }
    return value;
  };
}

/** Delimiters of CSV files, in the order in which they are tried. */
const delimiters = [',', ';', '\t', '|'] as const;

function readCsv(chunks: AsyncIterable<Uint8Array>, file: string, mapping: ConformanceMapping): MappedLog {
  let mapper: EntryMapper<readonly string[]> | null = null;
  async function* batches(): AsyncGenerator<readonly LogEntry[], void> {
    let columns: readonly string[] | null = null;
    let line = 1;
    let batch: LogEntry[] = [];
    for await (const { fields, lines } of csvRecords(chunks, file)) {
      if (columns === null) {
        columns = fields;
        mapper = new EntryMapper<readonly string[]>(mapping, file, (name) =>
          csvField(name, columns as readonly string[], file),
        );
      } else if (!(fields.length === 1 && fields[0] === '')) {
        if (fields.length !== columns.length) {
          const message = `the row has ${fields.length} fields, and there are ${columns.length} columns`;
          throw new NudgeLabError('log-invalid', { problems: [{ location: `${file}:${line}`, message }] });
        }
        const entry = (mapper as EntryMapper<readonly string[]>).convert(fields, line);
        if (entry !== null) batch.push(entry);
      }
      line += lines;
      if (batch.length < batchEntries) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
  return {
    batches: batches(),
    rest: () => mapper ?? nothingRead,
  };
}

function csvField(name: string, columns: readonly string[], file: string): FieldReader<readonly string[]> {
  const exact = columns.indexOf(name);
  const at = exact >= 0 ? exact : columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());
  if (at < 0) {
    const message = `has no column ${JSON.stringify(name)}; its columns are ${columns.slice(0, 50).join(', ')}${suggestName(name, columns)}`;
    throw new NudgeLabError('log-invalid', { problems: [{ location: `${file}:1`, message: endSentence(message) }] });
  }
  return (row) => row[at];
}

/** What an empty file leaves out. */
export const nothingRead: MappedRest = { unmapped: new Map(), ignored: 0, absent: new Set() };

interface CsvRow {
  readonly fields: readonly string[];
  /** Number of lines of the record. */
  readonly lines: number;
}

async function* csvRecords(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<CsvRow, void> {
  let bytes: Buffer = Buffer.alloc(0);
  let form: { readonly delimiter: string; readonly mark: '"' } | null = null;
  let line = 1;
  const take = function* (isEnd: boolean): Generator<CsvRow, void> {
    form ??= { delimiter: findDelimiter(bytes), mark: '"' };
    let from = 0;
    while (from < bytes.length) {
      const record = csvRecord(bytes, from, form, isEnd);
      if (record.isUnfinished) break;
      if (record.fields === null) throw invalidRow(file, line, 'unbalanced-quotes');
      yield { fields: record.fields.map((field) => fieldText(bytes, field)), lines: record.lines };
      line += record.lines;
      from = record.next;
    }
    bytes = bytes.subarray(from);
    if (bytes.length > recordBytesMax) throw invalidRow(file, line, 'too-large');
  };
  for await (const chunk of chunks) {
    bytes = bytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([bytes, chunk]);
    if (form === null) bytes = withoutMark(bytes);
    if (form !== null || bytes.includes(0x0a)) yield* take(false);
  }
  yield* take(true);
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Finds the delimiter that the first line contains most often. */
function findDelimiter(bytes: Buffer): string {
  const end = bytes.indexOf(0x0a);
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8');
  const counts = delimiters.map((delimiter) => head.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

function fieldText(
  bytes: Buffer,
  { from, to, isQuoted }: { readonly from: number; readonly to: number; readonly isQuoted: boolean },
): string {
  return isQuoted ? bytes.toString('utf8', from + 1, to - 1).replaceAll('""', '"') : bytes.toString('utf8', from, to);
}
