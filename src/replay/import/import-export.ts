import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportManifest, importFormat, importVersion } from '../../contract/import-manifest.schema.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { inOwnFolder } from '../own-folder.ts';
import { attemptCodeSql, firstDevicesSql } from './attempt-sql.ts';
import { recordMalformedRow } from './broken-lines.ts';
import { find, readColumns, textSql, timeSql } from './columns.ts';
import { count, DuckDbSession, literal } from './duckdb-session.ts';
import { type PolicyEpoch, policyTimeLine } from './import-policy.ts';
import { importSignIns } from './import-sign-ins.ts';
import { importRegistrations, importUsers } from './import-users.ts';
import type { ImportWork } from './import-work.ts';
import { type KeptColumn, keptName, refuseNames } from './kept-columns.ts';
import { KnownFacts, knownFactsFile } from './known-facts.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { rowSource } from './row-source.ts';
import { type SourceFile, sourceFile } from './source-file.ts';
import { placesMax, Tally } from './tally.ts';
import { deviceBoundPasskeys } from './user-methods.ts';

/** Files of an export by path, with the mapping for reading them. */
export interface ExportFiles {
  readonly signIns: readonly string[];
  readonly registrations: string | null;
  /** Direct group memberships of users: columns `user` and `group`. */
  readonly groups: string | null;
  /** Known nudge statuses at the start: columns `user`, `count` and `snoozedAt`. */
  readonly nudgeStatus: string | null;
  /** Body of the policy; `null` if it is unknown. */
  readonly policy: unknown;
  readonly audit: readonly unknown[];
  /** Additional facts of the tenant. */
  readonly tenant: unknown;
}

/** Options for creating an import from an export. */
export interface ImportOptions {
  readonly mapping: ImportMapping;
  readonly pseudonyms: Pseudonyms | null;
  /** Output folder, which must exist. */
  readonly out: string;
  readonly nowMs: number;
  /** Columns that the attempts keep for the facts of rulesets; none by default. */
  readonly kept?: readonly KeptColumn[];
  readonly memoryLimit?: string | undefined;
}

/**
 * Reads the exports of a tenant and writes an import: `attempts.parquet` in order of users and time, `users.parquet`,
 * and `import.json` with the policies and the report.
 * @returns the manifest
 * @throws `file-unreadable`, `bad-request` for an invalid policy, `log-value-invalid` for a kept column, and
 *   `package-missing`
 */
export function importExport(files: ExportFiles, options: ImportOptions): Promise<ImportManifest> {
  return inOwnFolder((folder) => importIn(folder, files, options));
}

async function importIn(folder: string, files: ExportFiles, options: ImportOptions): Promise<ImportManifest> {
  const { kept = [] } = options;
  if (options.pseudonyms !== null) refuseNames(kept, options.mapping);
  const session = await DuckDbSession.open(folder, options.memoryLimit);
  const tally = new Tally(options.pseudonyms);
  const deviceSalt = options.pseudonyms?.of('devices') ?? '';
  const work: ImportWork = {
    session,
    mapping: options.mapping,
    tally,
    folder,
    nowMs: options.nowMs,
    deviceSalt,
    facts: new KnownFacts(),
    kept,
  };
  try {
    // The policy is read first, so its errors are reported before hours of work.
    const policies = policyTimeLine(
      { policy: files.policy, audit: files.audit, over: files.tenant },
      options.mapping,
      tally,
    );
    if (files.policy === null && files.audit.length === 0) tally.infer('tenant.campaign', 'low', 1, 'policies');
    let read = 0;
    const ready = (path: string): Promise<SourceFile> => {
      read += 1;
      return sourceFile(path, path, folder, read);
    };
    const signIns: SourceFile[] = [];
    for (const path of files.signIns) signIns.push(await ready(path));
    const report = files.registrations === null ? null : await ready(files.registrations);
    const registrations = await importRegistrations(report, work);
    const rows = await importSignIns(signIns, work);
    await importUsers(work);
    await joinGroups(files.groups === null ? null : await ready(files.groups), work);
    await joinSnoozes(files.nudgeStatus === null ? null : await ready(files.nudgeStatus), work);
    await writeTables(work, options);
    await writeKnownFacts(work.facts, options);
    const manifest = await createManifest({ rows, registrations, policies }, work, options);
    await writeFile(join(options.out, 'import.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } finally {
    session.close();
  }
}

/** Creates a table with columns of a file under the requested names. */
async function createTable(
  file: SourceFile,
  name: string,
  columns: readonly string[],
  work: ImportWork,
): Promise<void> {
  const { session, tally, mapping } = work;
  tally.file(file);
  tally.faults(file.faults);
  const source = await rowSource(file);
  const there = await readColumns(session, source);
  const select = columns.map((column) => {
    const found = find(there, [column]);
    if (column !== 'snoozedAt') return `${textSql(found)} AS "${column}"`;
    return `${timeSql(found, mapping.timeFormats)} AS "snoozedAt", ${textSql(found)} AS "written"`;
  });
  const missing = columns.filter((column) => column !== 'snoozedAt' && find(there, [column]) === null);
  if (missing.length > 0) {
    throw new NudgeLabError('file-unreadable', {
      message: `${file.name} has no column ${missing.join(', ')}: its columns are ${there.map((column) => column.name).join(', ')}.`,
    });
  }
  await session.run(`CREATE TABLE ${name} AS SELECT ${select.join(', ')} FROM ${source}`);
  const nothing = columns.map((column) => `"${column}" IS NULL`).join(' AND ');
  const empty = await count(session, `SELECT count(*) FROM ${name} WHERE ${nothing}`);
  tally.skip(`rows without a value in ${columns.join(', ')}`, await recordMalformedRow(file, empty, tally));
  await session.run(`DELETE FROM ${name} WHERE ${nothing}`);
}

async function joinGroups(file: SourceFile | null, work: ImportWork): Promise<void> {
  const { session, tally } = work;
  if (file === null) {
    await session.run('CREATE TABLE memberships (key VARCHAR, groups VARCHAR)');
    tally.infer('user.groups', 'low', await count(session, 'SELECT count(*) FROM people'), 'users');
    return;
  }
  await createTable(file, 'membershiprows', ['user', 'group'], work);
  await session.run(`CREATE TABLE memberships AS SELECT ${userKeySql} AS key, string_agg(DISTINCT "group", chr(31) ORDER BY "group") AS groups
    FROM membershiprows ${userKeyJoin} WHERE "user" IS NOT NULL AND "group" IS NOT NULL GROUP BY 1`);
  const bad = await findUsers('"user"', 'membershiprows WHERE "user" IS NULL OR "group" IS NULL', work);
  tally.skip('group rows without a user or a group', ...bad);
  tally.skip(
    'group members that are not users in the export',
    ...(await findUsers('key', strangersIn('memberships'), work)),
  );
}

async function joinSnoozes(file: SourceFile | null, work: ImportWork): Promise<void> {
  const { session, tally } = work;
  if (file === null) {
    await session.run('CREATE TABLE snoozes (key VARCHAR, count INTEGER, snoozed BIGINT)');
    return;
  }
  await createTable(file, 'snoozerows', ['user', 'count', 'snoozedAt'], work);
  await session.run(`CREATE TABLE snoozes AS SELECT ${userKeySql} AS key, max(try_cast("count" AS INTEGER)) AS count, max("snoozedAt") AS snoozed, count(*) AS n
    FROM snoozerows ${userKeyJoin} WHERE "user" IS NOT NULL AND try_cast("count" AS INTEGER) >= 0 GROUP BY 1`);
  const hasNoCount = 'coalesce(try_cast("count" AS INTEGER), -1) < 0';
  const bad = await findUsers('"user"', `snoozerows WHERE "user" IS NULL OR ${hasNoCount}`, work);
  tally.skip('snooze record rows without a user or a count', ...bad);
  const untimed = `snoozerows WHERE coalesce("written", '') <> '' AND "snoozedAt" IS NULL AND "user" IS NOT NULL AND NOT ${hasNoCount}`;
  tally.odd(
    'snooze record rows with an invalid snoozedAt; only the count is used',
    ...(await findUsers('"user"', untimed, work)),
  );
  const repeated = await findUsers('key', 'snoozes WHERE n > 1', work);
  tally.odd('users with several snooze records; the highest count and the latest time are used', ...repeated);
  tally.skip(
    'snooze record rows for users that are not in the export',
    ...(await findUsers('key', strangersIn('snoozes'), work)),
  );
}

/** SQL for the id of the user in a row of `--groups` or `--snoozes`, which contains an id or a user principal name. */
const userKeySql = 'coalesce(byname.id, lower("user"))';

const userKeyJoin = `LEFT JOIN (
  SELECT lower(upn) AS name, min(lower(id)) AS id FROM people
  WHERE upn IS NOT NULL AND lower(upn) NOT IN (SELECT lower(id) FROM people) GROUP BY 1
) byname ON byname.name = lower("user")`;

function strangersIn(table: string): string {
  return `${table} WHERE key NOT IN (SELECT lower(id) FROM people)`;
}

/**
 * Returns the number of rows, and the users of the first ones. `column` is the user column, and `rows` selects the
 * rows.
 */
async function findUsers(column: string, rows: string, { session, tally }: ImportWork): Promise<[number, ...string[]]> {
  const number = await count(session, `SELECT count(*) FROM ${rows}`);
  if (number === 0) return [0];
  const named = `SELECT DISTINCT ${column} AS u FROM (SELECT * FROM ${rows}) WHERE ${column} IS NOT NULL`;
  const users = await session.rows(`${named} ORDER BY u LIMIT ${placesMax}`);
  return [number, ...users.map(([user]) => tally.formatPlace(String(user)))];
}

async function writeTables(
  { session, tally, facts, kept }: ImportWork,
  { out, pseudonyms }: ImportOptions,
): Promise<void> {
  const id = pseudonyms === null ? 'p.id' : pseudonyms.sql('p.id');
  await session.run(`
    CREATE TABLE named AS
    SELECT (row_number() OVER (ORDER BY id, u) - 1)::INTEGER AS uid, * FROM (
      SELECT ${id} AS id, p.u AS u, ${pseudonyms === null ? 'p.upn' : 'NULL::VARCHAR'} AS upn, p.guest AS guest,
        p.methods AS methods, p.passkeys AS passkeys, p.capable AS capable, p.known AS known,
        coalesce(d.windows, 0)::INTEGER AS windows, coalesce(d.mac, 0)::INTEGER AS mac,
        coalesce(g.groups, '') AS groups, coalesce(l.count, 0)::INTEGER AS count, l.snoozed AS snoozed
      FROM people p
      LEFT JOIN (${firstDevicesSql}) d ON d.u = p.u
      LEFT JOIN memberships g ON g.key = lower(p.id)
      LEFT JOIN snoozes l ON l.key = lower(p.id))`);
  // No report contains the device on which a passkey was created.
  const bound = deviceBoundPasskeys.map((type) => literal(type)).join(', ');
  const holders = `SELECT count(*) FROM named WHERE list_has_any(string_split(passkeys, ','), [${bound}])`;
  tally.infer('passkey.deviceId', 'low', await count(session, holders), 'users');
  const users =
    'SELECT uid, id, upn, guest, methods, passkeys, capable, known, groups, count, snoozed, windows, mac FROM named ORDER BY uid';
  await session.run(`COPY (${users}) TO ${literal(join(out, 'users.parquet'))} (FORMAT parquet)`);
  const keptColumns = kept.map((_, index) => `, g.${keptName(index)} AS ${keptName(index)}`).join('');
  const keptOrder = kept.map((_, index) => `, ${keptName(index)}`).join('');
  const attempts = `SELECT n.uid AS uid, g.t AS t, ${attemptCodeSql} AS code, g.flags AS flags, g.n AS n, g.own AS device${facts.moments.length === 0 ? '' : ', g.known AS known'}${keptColumns}
    FROM grouped g JOIN named n ON g.u = n.u ORDER BY uid, t, code${keptOrder}`;
  await session.run(`COPY (${attempts}) TO ${literal(join(out, 'attempts.parquet'))} (FORMAT parquet)`);
}

/** Writes the facts of annotations: the tenants on the first line, and a moment on each of the others. */
async function writeKnownFacts(
  { tenants, moments }: KnownFacts,
  { out, pseudonyms }: Pick<ImportOptions, 'out' | 'pseudonyms'>,
): Promise<void> {
  if (moments.length === 0) return;
  const named =
    pseudonyms === null ? tenants : tenants.map((tenant) => withPseudonyms({ fromMs: null, tenant }, pseudonyms));
  const lines = [named, ...moments].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(join(out, knownFactsFile), lines);
}

async function createManifest(
  { rows, registrations, policies }: { rows: number; registrations: number; policies: readonly PolicyEpoch[] },
  { session, tally, kept }: ImportWork,
  { pseudonyms }: ImportOptions,
): Promise<ImportManifest> {
  const [found] = await session.rows(
    'SELECT (SELECT count(*) FROM grouped), (SELECT count(*) FROM named), min(t), max(t) FROM grouped',
  );
  const at = (index: number): string | null => (typeof found?.[index] === 'number' ? toInstant(found[index]) : null);
  const named =
    pseudonyms === null ? policies : policies.map((epoch) => ({ ...epoch, tenant: withPseudonyms(epoch, pseudonyms) }));
  return {
    format: importFormat,
    version: importVersion,
    pseudonyms: pseudonyms !== null,
    policies: named as unknown as ImportManifest['policies'],
    ...(kept.length === 0 ? {} : { keptColumns: kept.map(({ column }) => column) }),
    report: {
      rows,
      attempts: Number(found?.[0] ?? 0),
      users: Number(found?.[1] ?? 0),
      registrations,
      policies: policies.length,
      from: at(2),
      to: at(3),
      ...tally.report(),
    },
  };
}

/** Replaces user ids in policies with pseudonyms. */
function withPseudonyms({ tenant }: PolicyEpoch, pseudonyms: Pseudonyms): PolicyEpoch['tenant'] {
  const renamed = <T extends { readonly targetType: string; readonly id: string }>(
    targets: readonly T[],
  ): readonly T[] =>
    targets.map((target) => (target.targetType === 'user' ? { ...target, id: pseudonyms.of(target.id) } : target));
  const { campaign, methodsPolicy } = tenant;
  const both = <
    P extends {
      readonly includeTargets: readonly { targetType: string; id: string }[];
      readonly excludeTargets: readonly { targetType: string; id: string }[];
    },
  >(
    policy: P,
  ): P => ({
    ...policy,
    includeTargets: renamed(policy.includeTargets),
    excludeTargets: renamed(policy.excludeTargets),
  });
  return {
    ...tenant,
    campaign: both(campaign),
    methodsPolicy: { authenticator: both(methodsPolicy.authenticator), fido2: both(methodsPolicy.fido2) },
  } as PolicyEpoch['tenant'];
}
