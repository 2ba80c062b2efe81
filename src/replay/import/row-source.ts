import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { columnsOf } from './columns.ts';
import type { Duck } from './duck.ts';
import { identifier, literal } from './duck.ts';
import { jsonKeys } from './json-keys.ts';
import { objectBytesMax } from './json-objects.ts';
import { Faults, type FileFault, type SourceFile } from './source-file.ts';

/** The table function that reads a file, its rows that could not be read, and what was wrong. */
export interface RowSource {
  readonly sql: string;
  readonly faults: readonly FileFault[];
  readonly faultCount: number;
}

/** Rows of CSV that are looked at to learn how it is written. */
const sampledRows = 2_000;

/**
 * How the database reads a file, with every column of a JSON or CSV file as text, so that no guess at a type loses a value.
 * Takes the file. A column of JSON is read whichever row it comes in first.
 */
export async function rowSource(duck: Duck, file: SourceFile): Promise<RowSource> {
  if (file.kind === 'parquet') return { sql: `read_parquet(${literal(file.path)})`, faults: [], faultCount: 0 };
  if (file.kind === 'csv') return csvSource(duck, file);
  const spellings = Map.groupBy(await jsonKeys(file.path), (key) => key.toLowerCase());
  const isSpeltTwice = [...spellings.values()].some(({ length }) => length > 1);
  const sql = isSpeltTwice ? asObjects(file.path, spellings) : asColumns(file.path, [...spellings.values()].flat());
  return { sql, faults: [], faultCount: 0 };
}

const jsonOptions = ['ignore_errors = true', `maximum_object_size = ${objectBytesMax}`];

function asColumns(path: string, keys: readonly string[]): string {
  const columns = keys.map((key) => `${literal(key)}: 'VARCHAR'`);
  const options = [`format = 'newline_delimited'`, `columns = {${columns.join(', ')}}`, ...jsonOptions];
  return `read_json(${[literal(path), ...options].join(', ')})`;
}

/** Names that differ in their letters' case alone are one column, as exports put together have them. The database takes them for one name. */
function asObjects(path: string, spellings: ReadonlyMap<string, readonly string[]>): string {
  const columns = [...spellings.values()].map((keys) => {
    const values = keys.map((key) => `json_extract_string(json, ${literal(pointerTo(key))})`);
    return `coalesce(${values.join(', ')}) AS ${identifier(keys[0] ?? '')}`;
  });
  return `(SELECT ${columns.join(', ')} FROM read_ndjson_objects(${[literal(path), ...jsonOptions].join(', ')}))`;
}

function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

async function csvSource(duck: Duck, { path }: SourceFile): Promise<RowSource> {
  const rejects = 'csv_rejects';
  const options = [
    'header = true',
    'all_varchar = true',
    'store_rejects = true',
    `rejects_table = '${rejects}'`,
    `rejects_scan = 'csv_scans'`,
    'null_padding = true',
    // Otherwise a quote that is not closed has the database take quotes for letters, and commas inside them for the ends of fields.
    `quote = '"'`,
    `escape = '"'`,
    `max_line_size = ${objectBytesMax / 4}`,
    `sample_size = ${sampledRows}`,
  ];
  const sqlOf = (more: readonly string[]): string => `read_csv(${[literal(path), ...options, ...more].join(', ')})`;
  await duck.run(`DROP TABLE IF EXISTS ${identifier(rejects)}; DROP TABLE IF EXISTS csv_scans`);
  const sql = sqlOf([]);
  // A line that breaks off inside quotes leaves the database no way of writing that all lines keep to; the first line says it then.
  const isPlain = await columnsOf(duck, sql).then(
    () => true,
    () => false,
  );
  if (isPlain) return { sql, faults: [], faultCount: 0 };
  return { sql: sqlOf(await plainDialect(path)), faults: [], faultCount: 0 };
}

const delimiters = [',', ';', '\t', '|'] as const;

/** The dialect that the first line of a CSV file speaks, with its names as columns. */
async function plainDialect(path: string): Promise<readonly string[]> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  const { value: first = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string };
  lines.close();
  const [delimiter, names] = delimiters
    .map((one) => [one, fieldsOf(first, one)] as const)
    .reduce((best, one) => (one[1].length > best[1].length ? one : best));
  const seen = new Map<string, number>();
  const columns = names.map((name, place) => {
    const key = name.toLowerCase();
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return `${literal(name === '' || times > 0 ? `${name}_${place}` : name)}: 'VARCHAR'`;
  });
  return ['auto_detect = false', `delim = ${literal(delimiter)}`, `columns = {${columns.join(', ')}}`];
}

/** The fields of a line of CSV. */
function fieldsOf(line: string, delimiter: string): readonly string[] {
  const fields: string[] = [''];
  let inQuotes = false;
  for (const letter of line) {
    if (letter === '"') inQuotes = !inQuotes;
    else if (letter === delimiter && !inQuotes) fields.push('');
    else fields[fields.length - 1] += letter;
  }
  return fields.map((field) => field.trim());
}

/** The lines of a file that are no objects, each with its place. It reads the whole file, so it is asked only when some are. */
export async function brokenLines(file: SourceFile): Promise<Faults> {
  const faults = new Faults(file.name);
  let number = 0;
  const lines = createInterface({ input: createReadStream(file.path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '' && objectOf(line) === null) faults.add('not-json', `line ${number}`);
  }
  return faults;
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The rows of a CSV file that were not read, with their lines. */
export async function csvFaults(duck: Duck, file: SourceFile): Promise<Faults> {
  const faults = new Faults(file.name);
  const there = await duck.rows(`SELECT count(*) FROM duckdb_tables() WHERE table_name = 'csv_rejects'`);
  if (Number(there[0]?.[0] ?? 0) === 0) return faults;
  for (const [line, kind] of await duck.rows(
    'SELECT line, min(error_type::VARCHAR) FROM csv_rejects GROUP BY line ORDER BY line',
  )) {
    faults.add('not-csv', `line ${String(line)}: ${String(kind)}`);
  }
  return faults;
}
