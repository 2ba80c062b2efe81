import type { DuckDbSession } from './duckdb-session.ts';
import { identifier, literal } from './duckdb-session.ts';

/** Column of a table, as reported by the database. */
export interface Column {
  readonly name: string;
  /** SQL type, such as `VARCHAR`, `STRUCT(os VARCHAR)`, `STRUCT(a VARCHAR)[]`. */
  readonly type: string;
}

/** Normalizes a name to its letters and digits, which determine whether two names are equal. */
export function sameName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Lists the columns of a table or of a table function. */
export async function readColumns(session: DuckDbSession, source: string): Promise<readonly Column[]> {
  const rows = await session.rows(`DESCRIBE SELECT * FROM ${source}`);
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Lists the columns that no fact uses. A dot in a fact's name refers to a nested field of a column. */
export function unusedColumns(
  columns: readonly Column[],
  names: Readonly<Record<string, readonly string[] | undefined>>,
): readonly string[] {
  const known = new Set(
    Object.values(names)
      .flatMap((list) => (list ?? []).flatMap((name) => [name, name.split('.', 1)[0] ?? '']))
      .map(sameName),
  );
  return columns.map(({ name }) => name).filter((name) => !known.has(sameName(name)));
}

/** SQL expression with its type. */
export interface Found {
  readonly sql: string;
  readonly type: string;
  /** Name under which the fact was found. */
  readonly name: string;
  /** Text column with JSON that contains the fact. */
  readonly holder?: string;
}

/**
 * Finds a fact in the columns of an export by its possible names. A dot refers to a nested object in a structure column
 * or in JSON text. If several names exist, as in merged exports, each row uses the first one with a value.
 * @returns the SQL expression; `null` if none of the names exists
 */
export function find(columns: readonly Column[], names: readonly string[]): Found | null {
  const [first, ...more] = names.flatMap((name) => foundBy(columns, name) ?? []);
  if (first === undefined) return null;
  const others = more.filter(({ sql, type }) => sql !== first.sql && type === first.type);
  if (others.length === 0) return first;
  const filled = [first, ...others].map(({ sql, type }) => (type === 'VARCHAR' ? `nullif(${sql}, '')` : sql));
  return { ...first, sql: `coalesce(${filled.join(', ')})` };
}

function foundBy(columns: readonly Column[], name: string): Found | null {
  const flat = columns.find((column) => sameName(column.name) === sameName(name));
  if (flat !== undefined) return { sql: identifier(flat.name), type: flat.type, name: flat.name };
  const [outer = '', ...inner] = name.split('.');
  if (inner.length === 0) return null;
  const holder = columns.find((column) => sameName(column.name) === sameName(outer));
  return holder === undefined ? null : within(holder, inner.join('.'));
}

function within(holder: Column, field: string): Found | null {
  const sql = identifier(holder.name);
  if (holder.type.startsWith('STRUCT')) {
    const inner = structFields(holder.type).find(({ name }) => sameName(name) === sameName(field));
    if (inner === undefined) return null;
    return { sql: `${sql}.${identifier(inner.name)}`, type: inner.type, name: `${holder.name}.${inner.name}` };
  }
  if (holder.type !== 'VARCHAR' && holder.type !== 'JSON') return null;
  const capital = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  const [lower, upper] = [field, capital].map((key) => `try(json_extract_string(${sql}, ${literal(`$.${key}`)}))`);
  return { sql: `coalesce(${lower}, ${upper})`, type: 'VARCHAR', name: `${holder.name}.${field}`, holder: sql };
}

/** Lists the fields of a `STRUCT(name TYPE, …)` type with any nesting. */
export function structFields(type: string): readonly Column[] {
  const body = /^STRUCT\((.*)\)(\[\])?$/s.exec(type)?.[1] ?? '';
  const fields: Column[] = [];
  let depth = 0;
  let inQuotes = false;
  let from = 0;
  for (let index = 0; index <= body.length; index += 1) {
    const letter = body[index];
    if (letter === '"') inQuotes = !inQuotes;
    else if (!inQuotes && letter === '(') depth += 1;
    else if (!inQuotes && letter === ')') depth -= 1;
    if ((letter === ',' && depth === 0 && !inQuotes) || index === body.length) {
      fields.push(...findColumns(body.slice(from, index).trim()));
      from = index + 1;
    }
  }
  return fields;
}

function findColumns(text: string): readonly Column[] {
  const [, quoted, plain, type] = /^(?:"((?:[^"]|"")*)"|(\w+))\s+(.*)$/s.exec(text) ?? [];
  const name = quoted?.replaceAll('""', '"') ?? plain;
  return name === undefined || type === undefined ? [] : [{ name, type }];
}

/**
 * Returns SQL for a fact as text, with lists and structures as JSON, or `NULL` if the export does not have the fact.
 */
export function textSql(found: Found | null): string {
  if (found === null) return 'NULL::VARCHAR';
  const isNested = found.type.endsWith(']') || found.type.startsWith('STRUCT') || found.type.startsWith('MAP');
  if (isNested) return `to_json(${found.sql})::VARCHAR`;
  // A JSON value contains its own quotes, which are not part of the text.
  if (found.type === 'JSON') return `try(json_extract_string(${found.sql}, '$'))`;
  return found.type === 'VARCHAR' ? found.sql : `${found.sql}::VARCHAR`;
}

/** Limit between numeric times in seconds and in milliseconds since the epoch: greater numbers are milliseconds. */
const secondsMax = 100_000_000_000;

/**
 * End of the year 9999 in milliseconds. A greater number is in microseconds or nanoseconds, or not a time, and is
 * ignored.
 */
const numberMax = 253_402_300_799_999;

/**
 * Returns SQL for a time in milliseconds since the epoch, or `NULL` if it cannot be parsed. A number is in
 * milliseconds, or in seconds if it is too small for that.
 * @param formats - formats to try after ISO 8601
 */
export function timeSql(found: Found | null, formats: readonly string[]): string {
  if (found === null) return 'NULL::BIGINT';
  if (/^(TIMESTAMP|DATE)/.test(found.type)) return `epoch_ms(${found.sql}::TIMESTAMP)`;
  if (/INT|DOUBLE|DECIMAL|FLOAT/.test(found.type)) {
    return `CASE WHEN abs(${found.sql}) > ${numberMax} THEN NULL WHEN ${found.sql} > ${secondsMax} THEN ${found.sql}::BIGINT ELSE (${found.sql} * 1000)::BIGINT END`;
  }
  const text = textSql(found);
  // A time without an offset is UTC. The database ignores an offset if the target type has no time zone.
  const zoned = `CASE WHEN suffix(${text}, 'Z') THEN try_cast(${text} AS TIMESTAMP) ELSE try_cast(${text} AS TIMESTAMPTZ)::TIMESTAMP END`;
  const tried = formats.map((format) => `try_strptime(${text}, ${literal(format)})`);
  const digits = `try_cast(${text} AS BIGINT)`;
  const number = `CASE WHEN abs(${digits}) > ${numberMax} THEN NULL WHEN ${digits} > ${secondsMax} THEN ${digits} ELSE ${digits} * 1000 END`;
  return `coalesce(epoch_ms(coalesce(${[zoned, ...tried].join(', ')})), ${number})`;
}
