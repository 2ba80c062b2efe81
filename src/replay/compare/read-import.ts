import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import { type ImportManifest, importFormat, importManifestSchema } from '../../contract/import-manifest.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { readColumns } from '../import/columns.ts';
import { type DuckDbSession, fileLiteral } from '../import/duckdb-session.ts';
import { type KnownMoment, knownFactsFile } from '../import/known-facts.ts';
import { decodeMethods, parsePasskeys, systemOfPasskey } from '../import/user-methods.ts';
import { textLines } from '../text-lines.ts';
import type { ClassFacts, UserClasses } from './user-classes.ts';
import { boundNumbers, deviceName, importedDevice } from './user-devices.ts';

/** Users of an import, by number. */
export interface ImportedUsers {
  /** User ids; empty if they are not needed. */
  readonly ids: readonly string[];
  readonly classes: Int32Array;
  readonly counts: Int32Array;
  /** Latest snooze in milliseconds; `NaN` if none is known. */
  readonly snoozedAtMs: Float64Array;
  /** Ids of the devices to which passkeys are bound, by system; 0 if none is known. */
  readonly windows: Int32Array;
  readonly mac: Int32Array;
}

/**
 * Reads the `import.json` of a folder.
 * @throws `import-unrecognized` for any other folder and for an import of a later version
 */
export async function readManifest(folder: string): Promise<ImportManifest> {
  const text = await readFile(join(folder, 'import.json'), 'utf8').catch(() => null);
  if (text === null)
    throw new NudgeLabError('import-unrecognized', { message: `${folder} does not contain import.json.` });
  const value = parseJson(text);
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== importFormat || version !== 1) {
    throw new NudgeLabError('import-unrecognized', {
      message: `${folder}/import.json has format ${String(format)}, version ${String(version)}; this program supports ${importFormat}, version 1.`,
    });
  }
  return parseOr('import-unrecognized', importManifestSchema, value, 'import');
}

/** Reads the facts of annotated attempts, by number; empty for an import without annotations. */
export async function readKnownMoments(
  folder: string,
): Promise<{ readonly tenants: readonly TenantFacts[]; readonly moments: readonly KnownMoment[] }> {
  const path = join(folder, knownFactsFile);
  if (!existsSync(path)) return { tenants: [], moments: [] };
  let tenants: readonly TenantFacts[] | null = null;
  const moments: KnownMoment[] = [];
  for await (const line of textLines(createReadStream(path))) {
    const value = parseJson(line);
    if (tenants === null) tenants = value as readonly TenantFacts[];
    else moments.push(value as KnownMoment);
  }
  return { tenants: tenants ?? [], moments };
}

/**
 * Reads the users of an import. `classes` groups equal users; the ids are optional. Users have few distinct value
 * combinations, each of which is read once.
 */
export async function readUsers(
  session: DuckDbSession,
  folder: string,
  classes: UserClasses,
  { size, withIds }: { readonly size: number; readonly withIds: boolean },
): Promise<ImportedUsers> {
  const users = {
    ids: [] as string[],
    classes: new Int32Array(size),
    counts: new Int32Array(size),
    snoozedAtMs: new Float64Array(size),
    windows: new Int32Array(size),
    mac: new Int32Array(size),
  };
  const table = fileLiteral(join(folder, 'users.parquet'));
  // Imports from earlier versions have no device columns.
  const devices = (await hasColumn(session, table, 'windows')) ? 'windows, mac' : '0 AS windows, 0 AS mac';
  const { kinds, joined } = await readUserKinds(session, table);
  const needsIds = withIds || classes.namesUsers;
  const classOf = classFinder(classes, kinds);
  const columns = `${needsIds ? 'id' : "''"}, kind, count, coalesce(snoozed::DOUBLE, 'NaN'::DOUBLE), ${devices}`;
  let uid = 0;
  for await (const chunk of session.chunks(`SELECT ${columns} FROM ${joined} ORDER BY uid`)) {
    const [kindOf, counts, snoozed] = [chunk.numbers(1), chunk.numbers(2), chunk.numbers(3)];
    const [windows, mac] = [chunk.numbers(4), chunk.numbers(5)];
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const [onWindows, onMac] = [windows[row] as number, mac[row] as number];
      users.windows[uid] = onWindows;
      users.mac[uid] = onMac;
      users.counts[uid] = counts[row] as number;
      users.snoozedAtMs[uid] = snoozed[row] as number;
      const id = needsIds ? String(chunk.value(0, row)) : '';
      if (needsIds) users.ids.push(id);
      users.classes[uid] = classOf(id, kindOf[row] as number, boundNumbers(onWindows, onMac));
      uid += 1;
    }
  }
  return users;
}

/**
 * Returns a function that finds a user's class by id, value combination and passkey devices. For users without an id in
 * any policy, the class is cached per combination.
 */
function classFinder(
  classes: UserClasses,
  kinds: readonly ImportedKind[],
): (id: string, kind: number, bound: Readonly<Record<'windows' | 'mac', number>>) => number {
  const known = new Map<number, number>();
  return (id, kind, bound) => {
    const key = (kind * devicesBound + bound.windows) * devicesBound + bound.mac;
    const isNamed = classes.namesUsers && classes.isTarget(id);
    const found = isNamed ? undefined : known.get(key);
    if (found !== undefined) return found;
    const number = classes.of(classFacts({ ...kinds[kind], id }, bound));
    if (!isNamed) known.set(key, number);
    return number;
  };
}

/** Users of a table by their combinations of values, numbered from 0. */
export async function readUserKinds(
  session: DuckDbSession,
  table: string,
): Promise<{ readonly kinds: readonly ImportedKind[]; readonly joined: string }> {
  const kinds = await readKinds(session, table);
  return { kinds, joined: `${table} u JOIN kinds k ON ${isOfKind}` };
}

/** Number of possible device numbers to which a user's passkeys are bound: none, first and second. */
const devicesBound = 3;

const kindColumns = ['guest', 'methods', 'passkeys', 'capable', 'groups'] as const;
/** Combination of values of users. */
export type ImportedKind = Readonly<Record<(typeof kindColumns)[number], unknown>>;

/** SQL condition for an equal value combination; unknown values equal each other. */
const isOfKind = kindColumns.map((name) => `u.${name} IS NOT DISTINCT FROM k.${name}`).join(' AND ');

/**
 * Creates the table `kinds` of the distinct users without names, nudge statuses and devices, numbered from 0. Returns
 * them by number.
 */
async function readKinds(session: DuckDbSession, table: string): Promise<readonly ImportedKind[]> {
  await session.run(`CREATE TABLE kinds AS SELECT (row_number() OVER () - 1)::INTEGER AS kind, * FROM (
    SELECT DISTINCT ${kindColumns.join(', ')} FROM ${table})`);
  const rows = await session.rows(`SELECT ${kindColumns.join(', ')} FROM kinds ORDER BY kind`);
  return rows.map(([guest, methods, passkeys, capable, groups]) => ({ guest, methods, passkeys, capable, groups }));
}

/**
 * Checks whether a table of an import has a column, because those of earlier versions have fewer.
 * @param table - SQL name of the table
 */
export async function hasColumn(session: DuckDbSession, table: string, name: string): Promise<boolean> {
  return (await readColumns(session, table)).some((column) => column.name === name);
}

/** Returns the facts of a user, whose passkeys are on an unnamed device. */
export function readKind(row: Partial<ImportedKind> & { readonly id: string }): ClassFacts {
  return classFacts(row, { windows: 0, mac: 0 });
}

function classFacts(
  row: Partial<ImportedKind> & { readonly id: string },
  bound: Readonly<Record<'windows' | 'mac', number>>,
): ClassFacts {
  const groups = String(row.groups);
  return {
    id: row.id,
    type: row.guest === true ? 'guest' : 'member',
    groups: groups === '' ? [] : groups.split('\u001f'),
    methods: decodeMethods(Number(row.methods)),
    passkeys: parsePasskeys(String(row.passkeys)).map((type) => {
      const system = systemOfPasskey(type);
      return { type, deviceId: system === null ? importedDevice : deviceName(bound[system]) };
    }),
    mfaCapable: row.capable === true,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
