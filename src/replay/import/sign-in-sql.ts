import type { ImportMapping, SignInField } from '../../contract/import-mapping.schema.ts';
import { type Column, type Found, find, sameName, structFields, textSql, timeSql } from './columns.ts';
import { identifier, literal } from './duckdb-session.ts';
import type { RowValues } from './row-facts.ts';

/** Columns from which facts are derived, in reading order. */
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
  'facts',
] as const satisfies readonly (keyof RowValues)[];

/** Bit offset of the file number in a row position. */
export const partBit = 48;

/** Returns the database name of a file's rows, by the number of the sign-in log. */
export function partName(index: number): string {
  return `part${index}`;
}

/** Expression for each fact of the sign-in log; `null` if the export does not have it. */
export type FoundFields = Readonly<Record<SignInField, Found | null>>;

/** Finds all facts of the mapping in the columns. */
export function findFields(columns: readonly Column[], { signIns }: ImportMapping): FoundFields {
  const entries = Object.entries(signIns.columns).map(([field, names]) => [field, find(columns, names ?? [])] as const);
  return Object.fromEntries(entries) as FoundFields;
}

/**
 * Returns the SQL columns to select from an export: the facts under the names of the mapping, and numbers for time
 * (`t`) and device (`own`) with hashes of id (`i`), correlation id (`c`), user (`w`) and value combination (`h`). All
 * counting and grouping uses the numbers.
 * @param deviceSalt - salt for hashing devices
 * @param kept - SQL for the columns that are kept as text, each with a leading comma
 */
export function normalizedRows(fields: FoundFields, mapping: ImportMapping, deviceSalt: string, kept = ''): string {
  const at = (field: SignInField): string => textSql(fields[field] ?? null);
  const lists: Partial<Record<SignInField, ListSql>> = {
    details: detailsSql(fields.details ?? null, mapping),
    accessPolicies: policiesSql(fields.accessPolicies ?? null, mapping),
  };
  const values = valueColumns.map((name) => `${lists[name]?.text ?? at(name)} AS ${identifier(name)}`);
  const keys = valueColumns.map((name) => lists[name]?.key ?? fields[name]?.sql ?? 'NULL');
  const selected = [
    `${timeSql(fields.createdAt ?? null, mapping.timeFormats)} AS t`,
    `coalesce(${at('correlationId')}, '') = '' AS alone`,
    `${deviceSql(fields.deviceId ?? null, deviceSalt)} AS own`,
    `${unparsedSql(Object.values(fields))} AS unparsed`,
    `CASE WHEN ${at('id')} IS NOT NULL THEN hash(${at('id')}) END AS i`,
    // A row without any id is an attempt of its own, which its time distinguishes from others of the user.
    `hash(coalesce(nullif(${at('correlationId')}, ''), nullif(${at('id')}, ''), ${at('createdAt')})) AS c`,
    `hash(${at('userId')}, ${at('userPrincipalName')}) AS w`,
    `hash(${keys.join(', ')}) AS h`,
    `CASE WHEN t IS NULL THEN ${at('createdAt')} END AS untimed`,
    ...nameColumns.map((name) => `${at(name)} AS ${identifier(name)}`),
    ...values,
  ].join(', ');
  return `${selected}${kept}`;
}

const nameColumns = ['id', 'userId', 'userPrincipalName'] as const;

/**
 * Returns SQL that checks whether a column with nested facts contains invalid JSON, evaluated only if such a fact is
 * empty.
 */
function unparsedSql(fields: readonly (Found | null)[]): string {
  const held = new Map(fields.flatMap((column) => (column?.holder === undefined ? [] : [[column.holder, column.sql]])));
  const checks = [...held].map(
    ([holder, sql]) =>
      `CASE WHEN ${sql} IS NULL AND coalesce(${holder}, '') <> '' THEN NOT json_valid(${holder}) ELSE false END`,
  );
  return checks.length === 0 ? 'false' : checks.join(' OR ');
}

/** Id that some exports write for a device that is not registered. */
const noDevice = '00000000-0000-0000-0000-000000000000';

/**
 * Returns SQL for the number of a device, or 0 without an id. A number is enough, because rules only compare whether
 * two attempts use the same device.
 */
function deviceSql(column: Found | null, salt: string): string {
  if (column === null) return '0::INTEGER';
  const id = `lower(trim(${textSql(column)}))`;
  const number = `(hash(${id} || ${literal(salt)}) % ${devicesMax} + 1)::INTEGER`;
  return `CASE WHEN coalesce(${id}, '') IN ('', ${literal(noDevice)}) THEN 0 ELSE ${number} END`;
}

/** Number of possible device numbers, large enough to make a collision within one user practically impossible. */
const devicesMax = 2_147_483_646;

/**
 * SQL for a list as text and for its comparison key, which is cheaper than the text if the database knows the list's
 * structure.
 */
interface ListSql {
  readonly text: string;
  readonly key: string;
}

/** Returns SQL for the steps of a sign-in without their times, which differ in every row and are irrelevant here. */
function detailsSql(column: Found | null, { signIns }: ImportMapping): ListSql {
  const { method, succeeded, requirement, time, resultDetail } = signIns.detailFields;
  if (column === null) return { text: 'NULL::VARCHAR', key: 'NULL' };
  if (column.type.endsWith('[]')) return listSql(column, [method, succeeded, requirement]);
  const dropped = [...time, ...resultDetail].map(
    (name) => `[${name.charAt(0).toLowerCase()}${name.charAt(0).toUpperCase()}]${name.slice(1)}`,
  );
  const member = `"(${dropped.join('|')})"\\s*:\\s*("([^"\\\\]|\\\\.)*"|null)`;
  // The pattern includes the preceding comma, or the following one for the first member, so the rest stays valid JSON.
  const pattern = `,\\s*${member}|${member}\\s*,?\\s*`;
  const text = `regexp_replace(${textSql(column)}, ${literal(pattern)}, '', 'g')`;
  return { text, key: text };
}

function policiesSql(column: Found | null, { signIns }: ImportMapping): ListSql {
  if (column === null) return { text: 'NULL::VARCHAR', key: 'NULL' };
  const { grants, result } = signIns.policyFields;
  return column.type.endsWith('[]')
    ? listSql(column, [grants, result])
    : { text: textSql(column), key: textSql(column) };
}

/** Returns SQL for a list of structures as JSON with only the wanted fields. */
function listSql({ sql, type }: Found, wanted: readonly (readonly string[])[]): ListSql {
  const fields = structFields(type);
  const kept = wanted.flatMap((names) => {
    const field = fields.find(({ name }) => names.some((wantedName) => sameName(wantedName) === sameName(name)));
    return field === undefined ? [] : [`${identifier(field.name)} := item.${identifier(field.name)}`];
  });
  const list = kept.length === 0 ? sql : `list_transform(${sql}, item -> struct_pack(${kept.join(', ')}))`;
  return { text: `to_json(${list})::VARCHAR`, key: list };
}

/** SQL condition for a row without a user. */
export const isNobodySql = `coalesce(trim("userId"), '') = '' AND coalesce(trim("userPrincipalName"), '') = ''`;

/** SQL condition for rows that belong to attempts: those with a time. */
export const hasTimeSql = 't IS NOT NULL AND t >= 0';

/**
 * Returns SQL for the users of a table of rows, with each of their spellings. A user is identified by the id. Without
 * one, the id comes from other rows or the registration report with the same user principal name, or the name itself is
 * used. Case is ignored. The arguments are the names of the tables of rows, original names and registrations. Users are
 * numbered in column `u`.
 */
export function usersSql(rows: string, names: string, registrations: string): string {
  return `
    WITH named AS (
      SELECT w, nullif(trim("userId"), '') AS id, nullif(trim("userPrincipalName"), '') AS upn
      FROM ${names} WHERE w IN (SELECT DISTINCT w FROM ${rows} WHERE ${hasTimeSql})
    ), ids AS (
      SELECT upnkey, min(id) AS id FROM (
        SELECT lower(upn) AS upnkey, id FROM named WHERE id IS NOT NULL AND upn IS NOT NULL
        UNION ALL SELECT upnkey, id FROM ${registrations} WHERE id IS NOT NULL AND upnkey IS NOT NULL
      ) GROUP BY upnkey
    )
    SELECT n.w AS w, dense_rank() OVER (ORDER BY lower(coalesce(n.id, i.id, n.upn)))::INTEGER AS u,
      coalesce(n.id, i.id) AS id, n.upn AS upn
    FROM named n LEFT JOIN ids i ON CASE WHEN n.id IS NULL THEN lower(n.upn) END = i.upnkey
    WHERE coalesce(n.id, n.upn) IS NOT NULL`;
}
