import { type OperatingSystem, operatingSystems } from '../../../machines/vocabulary.ts';
import type { ImportMapping, SignInField } from '../../contract/import-mapping.schema.ts';
import { circumstance, deviceCodes, deviceCodesOfSystem, factorCodes } from '../attempt-code.ts';
import { type Column, type Found, find, sameName, structFields, textSql, timeSql } from './columns.ts';
import { identifier, literal } from './duck.ts';
import { type RowValues, rowFlag } from './row-facts.ts';

/** The columns that facts of a row are taken from, in the order in which they are read. */
export const valueColumns = [
  'os',
  'browser',
  'clientApp',
  'userType',
  'crossTenantAccess',
  'issuer',
  'interactive',
  'eventTypes',
  'incomingToken',
  'requirement',
  'details',
  'detailMethod',
  'accessPolicies',
  'errorCode',
] as const satisfies readonly (keyof RowValues)[];

/** Names the combination of values of a row; rows with the same one are read once. */
export const combinationSql = `hash(${valueColumns.map((name) => identifier(name)).join(', ')})`;

/** Where each fact of the sign-in log was found; `null` where it is not in the export. */
export type FoundFields = Readonly<Record<SignInField, Found | null>>;

/** Looks for every fact that the mapping names. */
export function findFields(columns: readonly Column[], { signIns }: ImportMapping): FoundFields {
  const entries = Object.entries(signIns.columns).map(([field, names]) => [field, find(columns, names ?? [])] as const);
  return Object.fromEntries(entries) as FoundFields;
}

/**
 * The rows of an export with the columns under the names of the mapping's facts. Takes what reads the file, where the facts
 * are, the mapping, and what devices are hashed with.
 */
export function normalisedRows(
  source: string,
  fields: FoundFields,
  mapping: ImportMapping,
  deviceSalt: string,
): string {
  const text = (field: SignInField): string => `${textSql(fields[field] ?? null)} AS ${identifier(field)}`;
  const plain = valueColumns.filter((name) => name !== 'details' && name !== 'accessPolicies');
  return [
    `SELECT ${timeSql(fields.createdAt ?? null, mapping.timeFormats)} AS t`,
    `CASE WHEN t IS NULL THEN ${textSql(fields.createdAt ?? null)} END AS untimed`,
    text('id'),
    `hash(coalesce(nullif(${textSql(fields.correlationId ?? null)}, ''), ${textSql(fields.id ?? null)})) AS c`,
    `coalesce(${textSql(fields.correlationId ?? null)}, '') = '' AS alone`,
    `${deviceSql(fields.deviceId ?? null, deviceSalt)} AS own`,
    `${unparsedSql(Object.values(fields))} AS unparsed`,
    text('userId'),
    text('userPrincipalName'),
    ...plain.map(text),
    `${detailsSql(fields.details ?? null, mapping)} AS details`,
    `${policiesSql(fields.accessPolicies ?? null, mapping)} AS "accessPolicies"`,
  ]
    .join(', ')
    .concat(` FROM ${source}`);
}

/** Whether a column that facts are parts of holds no JSON. It is asked only where such a fact says nothing. */
function unparsedSql(fields: readonly (Found | null)[]): string {
  const held = new Map(fields.flatMap((found) => (found?.holder === undefined ? [] : [[found.holder, found.sql]])));
  const asked = [...held].map(
    ([holder, sql]) =>
      `CASE WHEN ${sql} IS NULL AND coalesce(${holder}, '') <> '' THEN NOT json_valid(${holder}) ELSE false END`,
  );
  return asked.length === 0 ? 'false' : asked.join(' OR ');
}

/** How an export writes a device that is not registered, when it writes anything. */
const noDevice = '00000000-0000-0000-0000-000000000000';

/** A number for a device, 0 for one without an id: rules ask of two attempts whether they are on the same, and nothing else. */
function deviceSql(found: Found | null, salt: string): string {
  if (found === null) return '0::INTEGER';
  const id = `lower(trim(${textSql(found)}))`;
  const number = `(hash(${id} || ${literal(salt)}) % ${devicesMax} + 1)::INTEGER`;
  return `CASE WHEN coalesce(${id}, '') IN ('', ${literal(noDevice)}) THEN 0 ELSE ${number} END`;
}

/** Numbers that devices may have; two of one user that have the same are as good as impossible. */
const devicesMax = 2_147_483_646;

/** The steps of a sign-in without their times, which differ from row to row and say nothing here. */
function detailsSql(found: Found | null, { signIns }: ImportMapping): string {
  const { method, succeeded, requirement, time, resultDetail } = signIns.detailFields;
  if (found === null) return 'NULL::VARCHAR';
  if (found.type.endsWith('[]')) return listSql(found, [method, succeeded, requirement]);
  const dropped = [...time, ...resultDetail].map(
    (name) => `[${name.charAt(0).toLowerCase()}${name.charAt(0).toUpperCase()}]${name.slice(1)}`,
  );
  const member = `"(${dropped.join('|')})"\\s*:\\s*("([^"\\\\]|\\\\.)*"|null)`;
  // With the comma before it, or as the first member with the one after it, so that what is left is JSON.
  const pattern = `,\\s*${member}|${member}\\s*,?\\s*`;
  return `regexp_replace(${textSql(found)}, ${literal(pattern)}, '', 'g')`;
}

function policiesSql(found: Found | null, { signIns }: ImportMapping): string {
  if (found === null) return 'NULL::VARCHAR';
  const { grants, result } = signIns.policyFields;
  return found.type.endsWith('[]') ? listSql(found, [grants, result]) : textSql(found);
}

/** A list of structures as JSON, with the fields alone that matter. */
function listSql({ sql, type }: Found, wanted: readonly (readonly string[])[]): string {
  const fields = structFields(type);
  const kept = wanted.flatMap((names) => {
    const field = fields.find(({ name }) => names.some((wantedName) => sameName(wantedName) === sameName(name)));
    return field === undefined ? [] : [`${identifier(field.name)} := item.${identifier(field.name)}`];
  });
  if (kept.length === 0) return `to_json(${sql})::VARCHAR`;
  return `to_json(list_transform(${sql}, item -> struct_pack(${kept.join(', ')})))::VARCHAR`;
}

/** Who signed in as an export writes it; `usersSql` says which of these are the same user. */
const writtenUserSql = `hash("userId", "userPrincipalName")`;

/** Whether nobody is named. */
export const isNobodySql = `coalesce("userId", '') = '' AND coalesce("userPrincipalName", '') = ''`;

/** Which rows are of an attempt: those with a time. */
export const hasTimeSql = 't IS NOT NULL AND t >= 0';

/**
 * The users of a table of rows, each way in which they are written: a user is the id; without one, the id that other rows or
 * the report of registrations have beside the same user principal name; without that, the name. Letters count the same in
 * either case. Takes the tables of rows and of registrations.
 */
export function usersSql(rows: string, registrations: string): string {
  return `
    WITH named AS (
      SELECT ${writtenUserSql} AS w, nullif(trim("userId"), '') AS id, nullif(trim("userPrincipalName"), '') AS upn FROM (
        SELECT DISTINCT "userId", "userPrincipalName" FROM ${rows} WHERE ${hasTimeSql})
    ), ids AS (
      SELECT upnkey, min(id) AS id FROM (
        SELECT lower(upn) AS upnkey, id FROM named WHERE id IS NOT NULL AND upn IS NOT NULL
        UNION ALL SELECT upnkey, id FROM ${registrations} WHERE id IS NOT NULL AND upnkey IS NOT NULL
      ) GROUP BY upnkey
    )
    SELECT n.w AS w, hash(lower(coalesce(n.id, i.id, n.upn))) AS u, coalesce(n.id, i.id) AS id, n.upn AS upn
    FROM named n LEFT JOIN ids i ON CASE WHEN n.id IS NULL THEN lower(n.upn) END = i.upnkey
    WHERE coalesce(n.id, n.upn) IS NOT NULL`;
}

/** Bits of a row's place in its attempt: a success first, then the later one, then whichever, always the same. */
const orderSql = `((f.flags & ${rowFlag.success})::BIGINT << 61) | (r.t << 12) | (hash(r.id) & 4095)::BIGINT`;

/**
 * Rows grouped into attempts: those of one user with one correlation id, or a row without one by itself. Facts are those of the
 * last success; without one, of the last row. Takes the tables of rows, of their facts, and of users as they are written.
 */
export function groupedAttempts(rows: string, facts: string, users: string): string {
  return `
    SELECT w.u AS u, r.c AS c,
      arg_max(f.device, ${orderSql})::INTEGER AS device,
      coalesce(arg_max(f.factor, ${orderSql}) FILTER (f.factor > 0), 0)::INTEGER AS factor,
      coalesce(arg_max(r.own, ${orderSql}) FILTER (r.own <> 0), 0)::INTEGER AS own,
      bit_or(f.flags)::INTEGER AS flags,
      coalesce(max(r.t) FILTER ((f.flags & ${rowFlag.success}) <> 0), max(r.t)) AS t,
      (max(r.t) - min(r.t))::BIGINT AS span,
      count(*)::INTEGER AS n
    FROM (
      SELECT ${writtenUserSql} AS w, c, t, id, own, ${combinationSql} AS h
      FROM ${rows} WHERE ${hasTimeSql}
    ) r JOIN ${facts} f ON r.h = f.h JOIN ${users} w ON r.w = w.w
    WHERE (f.flags & ${rowFlag.noUser}) = 0
    GROUP BY w.u, r.c`;
}

/**
 * The device of each user on Windows and on a Mac that was seen first; 0 where none was. Passkeys of the report are bound to these.
 */
export const firstDevicesSql = (() => {
  const of = (os: OperatingSystem): string =>
    `coalesce(arg_min(own, t) FILTER (device // ${deviceCodesOfSystem} = ${operatingSystems.indexOf(os)}), 0)::INTEGER`;
  return `SELECT u, ${of('windows')} AS windows, ${of('macos')} AS mac FROM grouped WHERE own <> 0 GROUP BY u`;
})();

const bit = (flag: number): string => `(flags & ${flag}) <> 0`;

/** The code of an attempt from the columns of `groupedAttempts`: a second factor counts where the attempt succeeded. */
export const attemptCodeSql = `(
  device + ${deviceCodes} * (
    CASE WHEN ${bit(rowFlag.success)} THEN factor ELSE 0 END
    + ${factorCodes} * (
      CASE WHEN ${bit(rowFlag.sso)} AND factor = 0 AND ${bit(rowFlag.success)} THEN ${circumstance.sso} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.registers)} AND ${bit(rowFlag.success)} THEN ${circumstance.registeredThisSession} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.termsOfUse)} THEN ${circumstance.termsOfUse} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.customControls)} THEN ${circumstance.customControls} ELSE 0 END
    )
  )
)::INTEGER`;
