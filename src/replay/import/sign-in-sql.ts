import type { ImportMapping, SignInField } from '../../contract/import-mapping.schema.ts';
import { type Column, type Found, find, sameName, structFields, textSql, timeSql } from './columns.ts';
import { identifier, literal } from './duckdb-session.ts';
import type { RowValues } from './row-facts.ts';

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

/** Where in the number of a row's place that of its file begins. */
export const partBit = 48;

/** What the rows of a file are called in the database. Takes its number among the sign-in logs. */
export function partName(index: number): string {
  return `part${index}`;
}

/** Where each fact of the sign-in log was found; `null` where it is not in the export. */
export type FoundFields = Readonly<Record<SignInField, Found | null>>;

/** Looks for every fact that the mapping names. */
export function findFields(columns: readonly Column[], { signIns }: ImportMapping): FoundFields {
  const entries = Object.entries(signIns.columns).map(([field, names]) => [field, find(columns, names ?? [])] as const);
  return Object.fromEntries(entries) as FoundFields;
}

/**
 * The columns to select of an export: under the names of the mapping's facts, and as numbers: time (`t`), device (`own`), and hashes
 * of id (`i`), correlation id (`c`), who signed in (`w`) and the combination of values (`h`). Everything is counted and grouped by the
 * numbers. Takes where the facts are, the mapping, and what devices are hashed with.
 */
export function normalizedRows(fields: FoundFields, mapping: ImportMapping, deviceSalt: string): string {
  const at = (field: SignInField): string => textSql(fields[field] ?? null);
  const lists: Partial<Record<SignInField, ListSql>> = {
    details: detailsSql(fields.details ?? null, mapping),
    accessPolicies: policiesSql(fields.accessPolicies ?? null, mapping),
  };
  const values = valueColumns.map((name) => `${lists[name]?.text ?? at(name)} AS ${identifier(name)}`);
  const keys = valueColumns.map((name) => lists[name]?.key ?? fields[name]?.sql ?? 'NULL');
  return [
    `${timeSql(fields.createdAt ?? null, mapping.timeFormats)} AS t`,
    `coalesce(${at('correlationId')}, '') = '' AS alone`,
    `${deviceSql(fields.deviceId ?? null, deviceSalt)} AS own`,
    `${unparsedSql(Object.values(fields))} AS unparsed`,
    `CASE WHEN ${at('id')} IS NOT NULL THEN hash(${at('id')}) END AS i`,
    `hash(coalesce(nullif(${at('correlationId')}, ''), ${at('id')})) AS c`,
    `hash(${at('userId')}, ${at('userPrincipalName')}) AS w`,
    `hash(${keys.join(', ')}) AS h`,
    `CASE WHEN t IS NULL THEN ${at('createdAt')} END AS untimed`,
    ...nameColumns.map((name) => `${at(name)} AS ${identifier(name)}`),
    ...values,
  ].join(', ');
}

const nameColumns = ['id', 'userId', 'userPrincipalName'] as const;

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

/** A list of a row as text, and what tells two of them apart, which costs less than the text where the database knows the list's parts. */
interface ListSql {
  readonly text: string;
  readonly key: string;
}

/** The steps of a sign-in without their times, which differ from row to row and say nothing here. */
function detailsSql(found: Found | null, { signIns }: ImportMapping): ListSql {
  const { method, succeeded, requirement, time, resultDetail } = signIns.detailFields;
  if (found === null) return { text: 'NULL::VARCHAR', key: 'NULL' };
  if (found.type.endsWith('[]')) return listSql(found, [method, succeeded, requirement]);
  const dropped = [...time, ...resultDetail].map(
    (name) => `[${name.charAt(0).toLowerCase()}${name.charAt(0).toUpperCase()}]${name.slice(1)}`,
  );
  const member = `"(${dropped.join('|')})"\\s*:\\s*("([^"\\\\]|\\\\.)*"|null)`;
  // With the comma before it, or as the first member with the one after it, so that what is left is JSON.
  const pattern = `,\\s*${member}|${member}\\s*,?\\s*`;
  const text = `regexp_replace(${textSql(found)}, ${literal(pattern)}, '', 'g')`;
  return { text, key: text };
}

function policiesSql(found: Found | null, { signIns }: ImportMapping): ListSql {
  if (found === null) return { text: 'NULL::VARCHAR', key: 'NULL' };
  const { grants, result } = signIns.policyFields;
  return found.type.endsWith('[]') ? listSql(found, [grants, result]) : { text: textSql(found), key: textSql(found) };
}

/** A list of structures as JSON, with the fields alone that matter. */
function listSql({ sql, type }: Found, wanted: readonly (readonly string[])[]): ListSql {
  const fields = structFields(type);
  const kept = wanted.flatMap((names) => {
    const field = fields.find(({ name }) => names.some((wantedName) => sameName(wantedName) === sameName(name)));
    return field === undefined ? [] : [`${identifier(field.name)} := item.${identifier(field.name)}`];
  });
  const list = kept.length === 0 ? sql : `list_transform(${sql}, item -> struct_pack(${kept.join(', ')}))`;
  return { text: `to_json(${list})::VARCHAR`, key: list };
}

/** Whether no one is named. */
export const isNobodySql = `coalesce(trim("userId"), '') = '' AND coalesce(trim("userPrincipalName"), '') = ''`;

/** Which rows are of an attempt: those with a time. */
export const hasTimeSql = 't IS NOT NULL AND t >= 0';

/**
 * The users of a table of rows, each way in which they are written: a user is the id; without one, the id that other rows or
 * the report of registrations have beside the same user principal name; without that, the name. Letters count the same in
 * either case. Takes the tables of rows, of names as they are written, and of registrations. Users have numbers, `u`.
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
