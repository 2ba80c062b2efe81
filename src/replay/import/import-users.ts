import { mfaMethods, registeredMethods } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { factorCodes } from '../attempt-code.ts';
import { recordMalformedRow } from './broken-lines.ts';
import { find, readColumns, textSql, timeSql } from './columns.ts';
import { count, literal } from './duckdb-session.ts';
import type { ImportWork } from './import-work.ts';
import { reachedEnd, rowFlag } from './row-facts.ts';
import { rowSource } from './row-source.ts';
import type { SourceFile } from './source-file.ts';
import { placesMax } from './tally.ts';
import { methodBits, readMethods } from './user-methods.ts';

const readPlaces = 1;

/**
 * Makes the table `people` of all users who signed in or are in the registration report. The methods of users who are
 * not in the report are inferred from their sign-ins. Rows are joined by user principal name only if an id is missing
 * on one side, because two ids are two users.
 */
export async function importUsers({ session, tally }: ImportWork): Promise<void> {
  await session.run(`
    CREATE TABLE seen AS
    SELECT g.u AS u, k.id AS id, k.upn AS upn, g.flags AS flags, g.used AS used,
      coalesce(by_id.key, byname.key, lower(k.id), lower(k.upn)) AS key
    FROM (SELECT u, bit_or(flags) AS flags, bit_or(${usedMethodSql}) AS used FROM grouped GROUP BY u) g
    JOIN (SELECT u, min(id) AS id, min(upn) AS upn FROM written GROUP BY u) k ON g.u = k.u
    LEFT JOIN registrations by_id ON by_id.key = lower(k.id)
    LEFT JOIN (
      SELECT w.u AS u, min(r.key) AS key FROM written w JOIN registrations r ON r.upnkey = lower(w.upn)
      WHERE w.id IS NULL OR r.id IS NULL GROUP BY w.u
    ) byname ON byname.u = g.u`);
  await session.run(`
    CREATE TABLE people AS
    SELECT s.u AS u, coalesce(s.id, r.id, s.upn, r.upn) AS id, coalesce(s.upn, r.upn) AS upn,
      coalesce(r.guest, (s.flags & ${rowFlag.guest}) <> 0) AS guest,
      CASE WHEN r.key IS NULL THEN coalesce(s.used, 0) ELSE r.bits END::INTEGER AS methods,
      coalesce(r.passkeys, CASE WHEN (s.used & ${passkeySeenBit}) <> 0 THEN 'security-key' ELSE '' END) AS passkeys,
      coalesce(r.capable, true) AS capable, r.key IS NOT NULL AS known
    FROM seen s FULL OUTER JOIN registrations r ON s.key = r.key`);
  await session.run(`UPDATE people SET methods = methods & ${methodBits(registeredMethods)}`);
  const unknown = await count(session, 'SELECT count(*) FROM people WHERE NOT known');
  tally.infer('user.methods', 'low', unknown, 'users');
  tally.infer('user.mfaCapable', 'low', unknown, 'users');
  tally.infer('user.snooze', 'low', await count(session, 'SELECT count(*) FROM people'), 'users');
}

const passkeySeenBit = 1 << registeredMethods.length;

/** SQL for the method that an attempt used, as a bit; passkeys have the bit after the methods. */
const usedMethodSql = `(CASE WHEN factor = 0 OR (flags & ${reachedEnd}) = 0 THEN 0
  ELSE (1 << ((factor - 1) % ${(factorCodes - 1) / 3})) & ${(1 << mfaMethods.length) - 1} END)::INTEGER`;

/**
 * Reads the registration report into the table `registrations`, which stays empty without a report.
 * @returns the number of rows
 */
export async function importRegistrations(report: SourceFile | null, work: ImportWork): Promise<number> {
  const { session, tally, mapping } = work;
  const shape =
    'key VARCHAR, upnkey VARCHAR, id VARCHAR, upn VARCHAR, guest BOOLEAN, capable BOOLEAN, bits INTEGER, passkeys VARCHAR';
  if (report === null) {
    await session.run(`CREATE TABLE registrations (${shape})`);
    return 0;
  }
  tally.file(report);
  tally.faults(report.faults);
  const source = await rowSource(report);
  const columns = await readColumns(session, source);
  const getField = (field: keyof typeof mapping.registrations.columns) => {
    const found = find(columns, mapping.registrations.columns[field] ?? []);
    tally.columns[`registrations.${field}`] = found?.name ?? null;
    return found;
  };
  const text = (field: keyof typeof mapping.registrations.columns) => textSql(getField(field));
  if (getField('id') === null && getField('userPrincipalName') === null) {
    throw new NudgeLabError('file-unreadable', {
      message: `The mapping cannot read ${report.name} as a registration report: no column identifies the user (id, userPrincipalName).`,
    });
  }
  await session.run(`
    CREATE TABLE reported AS
    SELECT nullif(trim(${text('id')}), '') AS id, nullif(trim(${text('userPrincipalName')}), '') AS upn,
      ${text('userType')} AS kind, ${text('mfaCapable')} AS capable, ${text('methods')} AS methods,
      ${timeSql(getField('updatedAt'), mapping.timeFormats)} AS updated
    FROM ${source}`);
  const empty = await count(
    session,
    'SELECT count(*) FROM reported WHERE coalesce(id, upn, kind, capable, methods) IS NULL',
  );
  const broken = empty - (await recordMalformedRow(report, empty, tally));
  await readMethodTexts(work);
  await session.run(`
    CREATE TABLE registrations AS
    SELECT lower(coalesce(id, upn)) AS key, lower(min(upn)) AS upnkey, min(id) AS id, min(upn) AS upn,
      arg_max(lower(kind) = 'guest', order_at) AS guest,
      arg_max(lower(capable) IN ('true', '1', 'yes') OR capable IS NULL, order_at) AS capable,
      arg_max(bits, order_at) AS bits, arg_max(passkeys, order_at) AS passkeys
    FROM (SELECT r.*, m.bits, m.passkeys, coalesce(updated, 0) AS order_at FROM reported r
      JOIN methodtexts m ON r.methods IS NOT DISTINCT FROM m.methods)
    WHERE coalesce(id, upn) IS NOT NULL
    GROUP BY 1`);
  const [counts] = await session.rows(
    'SELECT count(*), count(*) FILTER (coalesce(id, upn) IS NULL), count(DISTINCT lower(coalesce(id, upn))), any_value(capable) IS NULL FROM reported',
  );
  const rows = Number(counts?.[0] ?? 0) - broken;
  const nameless = Number(counts?.[readPlaces] ?? 0) - broken;
  tally.skip('registrations without a user', nameless);
  const again = rows - nameless - Number(counts?.[2] ?? 0);
  const whose = again === 0 ? [] : await session.rows(reportedAgainSql);
  tally.odd(
    'users reported more than once; the latest report is used',
    again,
    ...whose.map(([user]) => tally.formatPlace(String(user))),
  );
  return rows;
}

const reportedAgainSql = `SELECT min(coalesce(id, upn)) AS name FROM reported WHERE coalesce(id, upn) IS NOT NULL
  GROUP BY lower(coalesce(id, upn)) HAVING count(*) > 1 ORDER BY name LIMIT ${placesMax}`;

/** Parses each distinct list of methods once. */
async function readMethodTexts({ session, mapping, tally }: ImportWork): Promise<void> {
  await session.run('CREATE TABLE methodtexts (methods VARCHAR, bits INTEGER, passkeys VARCHAR)');
  const found = await session.rows('SELECT methods, count(*), min(coalesce(id, upn)) FROM reported GROUP BY methods');
  const values: string[] = [];
  for (const [methods, n, place] of found) {
    const text = methods === null ? null : String(methods);
    const { bits, passkeys, low, unknown } = readMethods(mapping, text);
    if (low) tally.infer('user.passkeys', 'low', Number(n), 'users');
    for (const word of unknown) tally.unknown('methodsRegistered', word, Number(n), tally.formatPlace(String(place)));
    values.push(`(${text === null ? 'NULL' : literal(text)}, ${bits}, ${literal(passkeys)})`);
  }
  if (values.length > 0) await session.run(`INSERT INTO methodtexts VALUES ${values.join(', ')}`);
}
