import type { DuckDbSession } from './duckdb-session.ts';
import { identifier, literal } from './duckdb-session.ts';

/** A column of a table as the database tells it. */
export interface Column {
  readonly name: string;
  /** Such as `VARCHAR`, `STRUCT(os VARCHAR)`, `STRUCT(a VARCHAR)[]`. */
  readonly type: string;
}

/** Names are the same when their letters and digits are. */
export function sameName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The columns of a table or of what a function reads. */
export async function readColumns(session: DuckDbSession, source: string): Promise<readonly Column[]> {
  const rows = await session.rows(`DESCRIBE SELECT * FROM ${source}`);
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** The names of columns that nothing is read of. Takes the columns and the names that facts may have, which may go into a column by a dot. */
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

/** An expression of SQL and its type. */
export interface Found {
  readonly sql: string;
  readonly type: string;
  /** The name under which it was found. */
  readonly name: string;
  /** The column of text that holds it as a part of JSON. */
  readonly holder?: string;
}

/**
 * Looks for a fact in the columns of an export. Takes the names it may have; a dot also goes into nested objects, whether they
 * are columns of a structure or JSON text. Where several of the names are there, as in exports put together, a row has it by the first
 * that says something in it. Returns `null` where none is there.
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

/** The fields of a type `STRUCT(name TYPE, …)`, however deep its types nest. */
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
      fields.push(...fieldOf(body.slice(from, index).trim()));
      from = index + 1;
    }
  }
  return fields;
}

function fieldOf(text: string): readonly Column[] {
  const [, quoted, plain, type] = /^(?:"((?:[^"]|"")*)"|(\w+))\s+(.*)$/s.exec(text) ?? [];
  const name = quoted?.replaceAll('""', '"') ?? plain;
  return name === undefined || type === undefined ? [] : [{ name, type }];
}

/** A text of whatever stands there; lists and structures as JSON. `NULL` where the fact is not in the export. */
export function textSql(found: Found | null): string {
  if (found === null) return 'NULL::VARCHAR';
  const isNested = found.type.endsWith(']') || found.type.startsWith('STRUCT') || found.type.startsWith('MAP');
  if (isNested) return `to_json(${found.sql})::VARCHAR`;
  // A value of the type JSON is a text with quotes of its own, which are no part of what it says.
  if (found.type === 'JSON') return `try(json_extract_string(${found.sql}, '$'))`;
  return found.type === 'VARCHAR' ? found.sql : `${found.sql}::VARCHAR`;
}

/** Greater numbers are ms since the epoch, others seconds. */
const secondsMax = 100_000_000_000;

/** The end of the year 9999. A greater number counts µs or ns, or nothing at all, and is no time. */
const numberMax = 253_402_300_799_999;

/**
 * A time in ms since the epoch, `NULL` where none can be read. Takes the formats that are tried after ISO 8601; a number is taken
 * for ms, or for seconds where it is too small for that.
 */
export function timeSql(found: Found | null, formats: readonly string[]): string {
  if (found === null) return 'NULL::BIGINT';
  if (/^(TIMESTAMP|DATE)/.test(found.type)) return `epoch_ms(${found.sql}::TIMESTAMP)`;
  if (/INT|DOUBLE|DECIMAL|FLOAT/.test(found.type)) {
    return `CASE WHEN abs(${found.sql}) > ${numberMax} THEN NULL WHEN ${found.sql} > ${secondsMax} THEN ${found.sql}::BIGINT ELSE (${found.sql} * 1000)::BIGINT END`;
  }
  const text = textSql(found);
  // A time without an offset is UTC; the database drops an offset where it is asked for a time that has none.
  const zoned = `CASE WHEN suffix(${text}, 'Z') THEN try_cast(${text} AS TIMESTAMP) ELSE try_cast(${text} AS TIMESTAMPTZ)::TIMESTAMP END`;
  const tried = formats.map((format) => `try_strptime(${text}, ${literal(format)})`);
  const digits = `try_cast(${text} AS BIGINT)`;
  const number = `CASE WHEN abs(${digits}) > ${numberMax} THEN NULL WHEN ${digits} > ${secondsMax} THEN ${digits} ELSE ${digits} * 1000 END`;
  return `coalesce(epoch_ms(coalesce(${[zoned, ...tried].join(', ')})), ${number})`;
}
