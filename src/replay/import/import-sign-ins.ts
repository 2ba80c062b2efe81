import { join } from 'node:path';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { noteBroken } from './broken-lines.ts';
import { type Column, columnsOf, unreadColumns } from './columns.ts';
import { type Duck, literal } from './duck.ts';
import { RowReader, type RowValues } from './row-facts.ts';
import { rowSource } from './row-source.ts';
import {
  combinationSql,
  type FoundFields,
  findFields,
  groupedAttempts,
  hasTimeSql,
  isNobodySql,
  normalisedRows,
  usersSql,
  valueColumns,
} from './sign-in-sql.ts';
import type { SourceFile } from './source-file.ts';
import type { Tally } from './tally.ts';

/** What of an import is at hand while it runs. */
export interface ImportWork {
  readonly duck: Duck;
  readonly mapping: ImportMapping;
  readonly tally: Tally;
  /** Folder for what is written on the way. */
  readonly folder: string;
  /** Real time, in ms: rows from later than this are odd. */
  readonly nowMs: number;
  /** What ids of devices are hashed with: of the key of pseudonyms, so that nobody without it can tell which device is meant. */
  readonly deviceSalt: string;
}

/** Combinations of values that are told to the database at once. */
const batchRows = 2_000;

/** An attempt whose rows lie farther apart, in ms, has rows of a clock that goes wrong, or an id that was used twice. */
const spanMaxMs = 3_600_000;

/** Before this time, 2000-01-01, nobody signed in. */
const earliestMs = 946_684_800_000;

/**
 * Reads sign-in logs and groups their rows into attempts; the table `registrations` is there. Leaves the tables `signins` (rows), `written` (users as they are
 * written), `rowfacts` (what each combination of values says) and `grouped` (attempts). Returns how many rows there were. Throws `file-unreadable`.
 */
export async function importSignIns(files: readonly SourceFile[], work: ImportWork): Promise<number> {
  const { duck, tally } = work;
  const selects: string[] = [];
  for (const [index, file] of files.entries()) selects.push(await readable(file, index, work));
  await duck.run(`CREATE VIEW signins AS ${selects.join(' UNION ALL ')}`);
  const rows = await readCombinations(work);
  await duck.run(`CREATE TABLE written AS ${usersSql('signins', 'registrations')}`);
  await duck.run(`CREATE TABLE grouped AS ${groupedAttempts('signins', 'rowfacts', 'written')}`);
  await countOddities(work);
  const unnamed = await count(duck, 'SELECT count(*) FROM grouped WHERE own = 0');
  tally.infer('deviceId', 'low', unnamed, 'attempts');
  return rows;
}

/** A select over the rows of a file, which are written once as what is needed of them, so that they are parsed once. */
async function readable(file: SourceFile, index: number, work: ImportWork): Promise<string> {
  const { duck, mapping, tally, folder } = work;
  tally.file(file);
  tally.faults(file.faults);
  const source = await rowSource(file);
  const columns = await columnsOf(duck, source);
  const fields = findFields(columns, mapping);
  // A day on which nobody signed in exports as a list of nothing, which is no reason to refuse the others.
  const isReadable = fields.createdAt !== null && (fields.userId !== null || fields.userPrincipalName !== null);
  if (!isReadable && (await isWithoutRows(file, source, work))) tally.odd('files that hold no rows', 1, file.name);
  else refuseForeign(file, columns, fields);
  tally.unread(unreadColumns(columns, mapping.signIns.columns));
  for (const [field, found] of Object.entries(fields)) tally.columns[`signIns.${field}`] ??= found?.name ?? null;
  const select = normalisedRows(source, fields, mapping, work.deviceSalt);
  const rows = join(folder, `signins-${index}`);
  const path = join(rows, '*.parquet');
  await duck.run(`COPY (${select}) TO ${literal(rows)} (FORMAT parquet, COMPRESSION lz4_raw, PER_THREAD_OUTPUT true)`);
  const rowsSql = `SELECT * FROM read_parquet(${literal(path)})`;
  if (file.kind !== 'json') return rowsSql;
  const empty = await count(duck, `SELECT count(*) FROM read_parquet(${literal(path)}) WHERE ${saysNothingSql}`);
  tally.skip('rows without time, user and id', await noteBroken(file, empty, tally));
  return `${rowsSql} WHERE NOT (${saysNothingSql})`;
}

/** Whether a file of JSON is whole and holds nothing; of one of CSV the columns tell what it is. */
async function isWithoutRows({ kind, faults }: SourceFile, source: string, { duck }: ImportWork): Promise<boolean> {
  const isWhole = faults.every((fault) => fault.kind === 'more-follow');
  return kind === 'json' && isWhole && (await count(duck, `SELECT count(*) FROM ${source}`)) === 0;
}

/** Throws `file-unreadable` for a file without a column of times or of users, of which nothing could be read. */
function refuseForeign({ name }: SourceFile, columns: readonly Column[], fields: FoundFields): void {
  const missing = [
    ...(fields.createdAt === null ? ['when somebody signed in (createdAt)'] : []),
    ...(fields.userId === null && fields.userPrincipalName === null ? ['who (userId, userPrincipalName)'] : []),
  ];
  if (missing.length === 0) return;
  const there = columns.map((column) => JSON.stringify(column.name));
  const shown = there.slice(0, columnsShown).join(', ');
  throw new NudgeLabError('file-unreadable', {
    message:
      `${name} is no sign-in log that the mapping can read: no column says ${missing.join(' and ')}. ` +
      `Its columns are ${shown}${there.length > columnsShown ? ' and more' : ''}; name those that are meant in a mapping (--show-mapping, --mapping).`,
  });
}

/** Columns that the refusal of a file names. */
const columnsShown = 12;

/** What a line that could not be read becomes; it is counted where lines are looked for, and is no row. */
const saysNothingSql = `t IS NULL AND ${isNobodySql} AND id IS NULL`;

/** Reads each combination of values once. Returns how many rows there are. */
async function readCombinations({ duck, mapping, tally }: ImportWork): Promise<number> {
  const values = valueColumns.map((name) => `any_value("${name}")`).join(', ');
  await duck.run('CREATE TABLE rowfacts (h UBIGINT, device INTEGER, factor INTEGER, flags INTEGER)');
  const reader = new RowReader(mapping);
  let rows = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await duck.run(`INSERT INTO rowfacts VALUES ${batch.join(', ')}`);
    batch = [];
  };
  await duck.run(
    `CREATE TABLE combinations AS SELECT ${combinationSql} AS h, count(*) AS n, min(id) AS place, ${values} FROM signins GROUP BY h`,
  );
  for await (const chunk of duck.chunks(
    'SELECT h::VARCHAR, n, place, COLUMNS(* EXCLUDE (h, n, place)) FROM combinations',
  )) {
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const n = Number(chunk.value(1, row));
      const place = chunk.value(2, row);
      const told = Object.fromEntries(valueColumns.map((name, at) => [name, chunk.value(at + 3, row)]));
      const { device, factor, flags, inferred, unknown } = reader.read(told as unknown as RowValues);
      rows += n;
      for (const { fact, confidence } of inferred) tally.infer(fact, confidence, n, 'rows');
      for (const { field, value } of unknown)
        tally.unknown(field, value, n, place === null ? null : `row ${String(place)}`);
      batch.push(`(${String(chunk.value(0, row))}, ${device}, ${factor}, ${flags})`);
      if (batch.length >= batchRows) await flush();
    }
  }
  await flush();
  return rows;
}

/** Ids that several rows have are looked for one by one, but only where there are some. */
async function noteRepeated(repeated: number, { duck, tally }: ImportWork): Promise<void> {
  const what = 'rows whose id was there before; of one user and attempt they count once';
  const places = await duck.rows(
    'SELECT min(id) FROM signins WHERE id IS NOT NULL GROUP BY hash(id) HAVING count(*) > 1 ORDER BY 1 LIMIT 5',
  );
  for (const [id] of places) tally.odd(what, 1, `row ${String(id)}`);
  tally.odd(what, repeated - places.length);
}

/** Times that no format reads, each with how often it is there. */
async function noteUnreadTimes({ duck, tally }: ImportWork): Promise<void> {
  const found = await duck.rows(
    "SELECT left(untimed, 60), count(*), min(id) FROM signins WHERE coalesce(untimed, '') <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
  );
  for (const [text, n, place] of found) {
    tally.unknown('createdAt', String(text), Number(n), place === null ? null : `row ${String(place)}`);
  }
}

async function countOddities(work: ImportWork): Promise<void> {
  const { duck, tally, nowMs } = work;
  const [odd] = await duck.rows(`
    SELECT
      count(*) FILTER (NOT (${hasTimeSql})),
      count(*) FILTER (t IS NULL OR t < 0), min(id) FILTER (t IS NULL OR t < 0),
      count(*) FILTER (${isNobodySql}), min(id) FILTER (${isNobodySql}),
      count(*) FILTER (alone), min(id) FILTER (alone),
      count(*) FILTER (t > ${nowMs}), min(id) FILTER (t > ${nowMs}),
      count(*) FILTER (t BETWEEN 0 AND ${earliestMs}), min(id) FILTER (t BETWEEN 0 AND ${earliestMs}),
      count(id) - count(DISTINCT hash(id)) FILTER (id IS NOT NULL),
      count(*) FILTER (unparsed), min(id) FILTER (unparsed)
    FROM signins`);
  const at = (index: number): number => Number(odd?.[index] ?? 0);
  const row = (index: number): string | null => (odd?.[index] === null ? null : `row ${String(odd?.[index])}`);
  tally.skip('rows without a time', at(1), row(2));
  if (at(1) > 0) await noteUnreadTimes(work);
  tally.skip('rows without a user', at(3), row(4));
  tally.odd('rows without a correlation id, each an attempt by itself', at(5), row(6));
  tally.odd('rows from the future', at(7), row(8));
  tally.odd('rows from before 2000', at(9), row(10));
  tally.odd('rows with a column that should hold JSON and does not', at(12), row(13));
  if (at(11) > 0) await noteRepeated(at(11), work);
  const [spans] = await duck.rows(`
    SELECT count(*) FILTER (span > ${spanMaxMs}), count(*) FILTER ((flags & 1) = 0)
    FROM grouped`);
  tally.odd('attempts whose rows lie more than an hour apart', Number(spans?.[0] ?? 0));
  tally.odd('attempts that never succeeded', Number(spans?.[1] ?? 0));
  const noUser = await count(
    duck,
    'SELECT coalesce(sum(c.n), 0) FROM combinations c JOIN rowfacts f USING (h) WHERE (f.flags & 4096) <> 0',
  );
  tally.skip('rows of services, not of people', noUser);
}

/** The number that a query answers with. */
export async function count(duck: Duck, sql: string): Promise<number> {
  const [row] = await duck.rows(sql);
  return Number(row?.[0] ?? 0);
}
