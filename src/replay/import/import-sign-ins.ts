import { join } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { groupedAttempts, packedAttempts, type RowSpan } from './attempt-sql.ts';
import { recordMalformedRow } from './broken-lines.ts';
import { checkKept, noteMissing } from './check-kept.ts';
import { type Column, find, readColumns, unusedColumns } from './columns.ts';
import { iterateCombinations } from './combinations.ts';
import { count, type DuckDbSession, literal, parquetFilesLiteral } from './duckdb-session.ts';
import type { ImportWork } from './import-work.ts';
import { keptName, keptSql } from './kept-columns.ts';
import { countOddities } from './row-anomalies.ts';
import { RowReader } from './row-facts.ts';
import { rowSource } from './row-source.ts';
import {
  type FoundFields,
  findFields,
  hasTimeSql,
  isNobodySql,
  normalizedRows,
  partBit,
  partName,
  usersSql,
} from './sign-in-sql.ts';
import type { SourceFile } from './source-file.ts';

/** Number of value combinations per database insert. */
const batchRows = 2_000;

/**
 * Reads sign-in logs and groups their rows into attempts. The table `registrations` must exist. Creates the tables
 * `signins` (rows as numbers), `written` (users as written), `rowfacts` (facts of each value combination) and `grouped`
 * (attempts).
 * @returns the number of rows
 * @throws `file-unreadable` if a file cannot be read
 */
export async function importSignIns(files: readonly SourceFile[], work: ImportWork): Promise<number> {
  const { session, tally } = work;
  const columns = new Set<string>();
  for (const [index, file] of files.entries()) {
    for (const name of await readable(file, index, work)) columns.add(name);
  }
  noteMissing(work, [...columns]);
  const kept = work.kept.map((_, index) => `${keptName(index)}, `).join('');
  const parts = files.map((_, index) => `SELECT ${index}::BIGINT << ${partBit} AS part, * FROM ${partName(index)}`);
  await session.run(`CREATE VIEW rowtexts AS ${parts.join(' UNION ALL ')}`);
  await session.run(
    `CREATE TABLE signins AS SELECT t, alone, own, unparsed, i, c, w, h, ${kept}part | place AS place FROM rowtexts`,
  );
  await checkKept(files, work);
  const rows = await readCombinations(work);
  await session.run(`CREATE TABLE names AS SELECT w, count(*) AS n, any_value("userId") AS "userId",
    any_value("userPrincipalName") AS "userPrincipalName" FROM rowtexts GROUP BY w`);
  await session.run(`CREATE TABLE written AS ${usersSql('signins', 'names', 'registrations')}`);
  const span = { ...(await readSpan(session, work.facts.moments.length > 0)), kept: work.kept.length };
  await session.run(`CREATE TABLE packed AS ${packedAttempts('signins', 'rowfacts', 'written', span)}`);
  await session.run(`CREATE VIEW grouped AS ${groupedAttempts('packed', span)}`);
  await countOddities(work);
  const unnamed = await count(session, 'SELECT count(*) FROM grouped WHERE own = 0');
  tally.infer('deviceId', 'low', unnamed, 'attempts');
  return rows;
}

async function readSpan(session: DuckDbSession, hasFacts: boolean): Promise<Omit<RowSpan, 'kept'>> {
  const [row] = await session.rows(`SELECT min(t), max(t), bool_or(own <> 0) FROM signins WHERE ${hasTimeSql}`);
  return { fromMs: Number(row?.[0] ?? 0), toMs: Number(row?.[1] ?? 0), hasDevices: row?.[2] === true, hasFacts };
}

/**
 * Creates a view of a file's rows with their positions. For Parquet, the database reads only the required columns. Any
 * other file is converted once with only the required data, so it is parsed once. Returns the columns of the file.
 */
async function readable(file: SourceFile, index: number, work: ImportWork): Promise<readonly string[]> {
  const { session, mapping, tally, folder, kept } = work;
  tally.file(file);
  tally.faults(file.faults);
  const source = await rowSource(file);
  const columns = await readColumns(session, source);
  const fields = findFields(columns, mapping);
  // The export of a day without sign-ins is an empty list, which is no reason to reject the other files.
  const isReadable = fields.createdAt !== null && (fields.userId !== null || fields.userPrincipalName !== null);
  if (!isReadable && (await isWithoutRows(file, source, work))) tally.odd('files without rows', 1, file.name);
  else refuseForeign(file, columns, fields);
  const used = { ...mapping.signIns.columns, rulesets: kept.map(({ column }) => column) };
  tally.unread(unusedColumns(columns, used));
  for (const { column } of kept) tally.columns[`rulesets.${column}`] ??= find(columns, [column])?.name ?? null;
  for (const [field, found] of Object.entries(fields)) tally.columns[`signIns.${field}`] ??= found?.name ?? null;
  const select = normalizedRows(fields, mapping, work.deviceSalt, keptSql(kept, columns));
  const names = columns.map((column) => column.name);
  const view = `CREATE VIEW ${partName(index)} AS SELECT`;
  if (file.kind === 'parquet') {
    await session.run(`${view} ${select}, file_row_number AS place FROM ${source}`);
    return names;
  }
  const folderOfRows = join(folder, `signins-${index}`);
  const written = `read_parquet(${parquetFilesLiteral(folderOfRows)})`;
  await session.run(
    `COPY (SELECT ${select} FROM ${source}) TO ${literal(folderOfRows)} (FORMAT parquet, COMPRESSION lz4_raw, PER_THREAD_OUTPUT true)`,
  );
  const rows = `*, file_index::BIGINT << ${writtenBit} | file_row_number AS place FROM ${written}`;
  if (file.kind === 'json') {
    const empty = await count(session, `SELECT count(*) FROM ${written} WHERE ${saysNothingSql}`);
    tally.skip('rows without a time, user and id', await recordMalformedRow(file, empty, tally));
    await session.run(`${view} ${rows} WHERE NOT (${saysNothingSql})`);
  } else await session.run(`${view} ${rows}`);
  return names;
}

/** Bit offset of the converted file's number in a row position; each thread writes one file. */
const writtenBit = 40;

/** Checks whether a JSON file is complete and empty; a CSV file is identified by its columns. */
async function isWithoutRows({ kind, faults }: SourceFile, source: string, { session }: ImportWork): Promise<boolean> {
  const isWhole = faults.every((fault) => fault.kind === 'more-follow');
  return kind === 'json' && isWhole && (await count(session, `SELECT count(*) FROM ${source}`)) === 0;
}

/** Throws `file-unreadable` for a file without time or user columns, which contains no usable data. */
function refuseForeign({ name }: SourceFile, columns: readonly Column[], fields: FoundFields): void {
  const missing = [
    ...(fields.createdAt === null ? ['the sign-in time (createdAt)'] : []),
    ...(fields.userId === null && fields.userPrincipalName === null ? ['who (userId, userPrincipalName)'] : []),
  ];
  if (missing.length === 0) return;
  const there = columns.map((column) => JSON.stringify(column.name));
  const columnNames = there.slice(0, columnsShown).join(', ');
  throw new NudgeLabError('file-unreadable', {
    message:
      `The mapping cannot read ${name} as a sign-in log: no column contains ${missing.join(' and ')}. ` +
      `Its columns are ${columnNames}${there.length > columnsShown ? ' and more' : ''}; assign columns in a mapping (--print-mapping, --mapping).`,
  });
}

/** Maximum number of columns in the error message for a rejected file. */
const columnsShown = 12;

/** SQL condition for an unreadable line, which is counted elsewhere and is not a row. */
const saysNothingSql = `t IS NULL AND ${isNobodySql} AND id IS NULL`;

/** Reads each distinct value combination once. Returns the number of rows. */
async function readCombinations({ session, mapping, tally, facts }: ImportWork): Promise<number> {
  await session.run('CREATE TABLE rowfacts (h UBIGINT, device INTEGER, factor INTEGER, flags INTEGER, known INTEGER)');
  const reader = new RowReader(mapping, facts);
  let rows = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await session.run(`INSERT INTO rowfacts VALUES ${batch.join(', ')}`);
    batch = [];
  };
  for await (const { key, n, place, values } of iterateCombinations(session)) {
    const { device, factor, flags, known, inferred, unknown } = reader.read(values);
    rows += n;
    for (const { fact, confidence } of inferred) tally.infer(fact, confidence, n, 'rows');
    for (const { field, value } of unknown) tally.unknown(field, value, n, place);
    batch.push(`(${key}, ${device}, ${factor}, ${flags}, ${known})`);
    if (batch.length >= batchRows) await flush();
  }
  await flush();
  return rows;
}
