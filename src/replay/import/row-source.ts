import { NudgeLabError } from '../../core/errors.ts';
import { type CsvFile, csvRecordBytesMax } from './csv-file.ts';
import { fileLiteral, identifier, literal } from './duckdb-session.ts';
import { jsonShape, rowLevelsMax } from './json-keys.ts';
import { objectBytesMax } from './json-objects.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Returns the SQL source for reading a file, with all JSON and CSV columns as text, because type detection could lose
 * values. A JSON column is included even if only a late row has it.
 * @throws `file-unreadable` for a row that is nested too deeply
 */
export async function rowSource(file: SourceFile): Promise<string> {
  if (file.kind === 'parquet') return `read_parquet(${fileLiteral(file.path)})`;
  if (file.csv !== null) return csvSource(file.path, file.csv);
  const { keys: found, hasCutLines, deepLine } = await jsonShape(file.path);
  if (deepLine !== null) {
    throw new NudgeLabError('file-unreadable', {
      message: `${file.name}: row ${deepLine} is nested deeper than ${rowLevelsMax} levels.`,
    });
  }
  // A name with control characters comes from an invalid line, which is reported separately.
  const keys = found.filter((key) => !/\p{Cc}/u.test(key));
  const spellings = Map.groupBy(keys, (key) => key.toLowerCase());
  const isSpeltTwice = [...spellings.values()].some(({ length }) => length > 1);
  // If the file were read as columns, a line that breaks off after a colon or a bracket would absorb the next line.
  return isSpeltTwice || hasCutLines
    ? asObjects(file.path, spellings)
    : asColumns(file.path, [...spellings.values()].flat());
}

const jsonOptions = ['ignore_errors = true', `maximum_object_size = ${objectBytesMax}`];

function asColumns(path: string, keys: readonly string[]): string {
  const columns = keys.map((key) => `${literal(key)}: 'VARCHAR'`);
  const options = [`format = 'newline_delimited'`, `columns = {${columns.join(', ')}}`, ...jsonOptions];
  return `read_json(${[fileLiteral(path), ...options].join(', ')})`;
}

/**
 * Merges JSON keys that differ only in case into one column, as in merged exports, because the database treats them as
 * the same name.
 */
function asObjects(path: string, spellings: ReadonlyMap<string, readonly string[]>): string {
  const columns = [...spellings.values()].map((keys) => {
    const values = keys.map((key) => `json_extract_string(json, ${literal(pointerTo(key))})`);
    return `coalesce(${values.join(', ')}) AS ${identifier(keys[0] ?? '')}`;
  });
  return `(SELECT ${columns.join(', ')} FROM read_ndjson_objects(${[fileLiteral(path), ...jsonOptions].join(', ')}))`;
}

function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Returns the source of a CSV file, whose lines all have the right number of fields because invalid ones were removed
 * and reported.
 */
function csvSource(path: string, { form, columns, linesSkipped }: CsvFile): string {
  const options = [
    'header = false',
    'auto_detect = false',
    `skip = ${linesSkipped}`,
    `delim = ${literal(form.delimiter)}`,
    `quote = '"'`,
    `escape = ${literal(form.mark)}`,
    `new_line = ${literal(form.lineEnd === '\n' ? '\\n' : '\\r\\n')}`,
    `columns = {${columns.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')}}`,
    `max_line_size = ${csvRecordBytesMax}`,
  ];
  return `read_csv(${[fileLiteral(path), ...options].join(', ')})`;
}
