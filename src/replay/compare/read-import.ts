import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportManifest, importFormat, importManifestSchema } from '../../contract/import-manifest.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { columnsOf } from '../import/columns.ts';
import { type Duck, literal } from '../import/duck.ts';
import { methodsOf, passkeysOf, systemOfPasskey } from '../import/user-methods.ts';
import type { ClassFacts, UserClasses } from './user-classes.ts';
import { boundNumbers, deviceName, importedDevice } from './user-devices.ts';

/** The users of an import, by number. */
export interface ImportedUsers {
  readonly ids: readonly string[];
  readonly classes: Int32Array;
  readonly counts: Int32Array;
  /** `NaN` where no snooze is known. */
  readonly snoozedAtMs: Float64Array;
  /** Ids of the devices that passkeys are bound to, by system; 0 where none is known. */
  readonly windows: Int32Array;
  readonly mac: Int32Array;
}

/** Reads `import.json` of a folder. Throws `import-foreign` for a folder that is no import, and for one of a newer version. */
export async function readManifest(folder: string): Promise<ImportManifest> {
  const text = await readFile(join(folder, 'import.json'), 'utf8').catch(() => null);
  if (text === null) throw new NudgeLabError('import-foreign', { message: `${folder} holds no import.json.` });
  const value = jsonOf(text);
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== importFormat || version !== 1) {
    throw new NudgeLabError('import-foreign', {
      message: `${folder}/import.json says format ${String(format)}, version ${String(version)}; this program reads ${importFormat}, version 1.`,
    });
  }
  return parseOr('import-foreign', importManifestSchema, value, 'import');
}

/** Reads the users of an import. Takes the classes that they are told apart by. */
export async function readUsers(
  duck: Duck,
  folder: string,
  classes: UserClasses,
  size: number,
): Promise<ImportedUsers> {
  const ids: string[] = [];
  const users = {
    ids,
    classes: new Int32Array(size),
    counts: new Int32Array(size),
    snoozedAtMs: new Float64Array(size),
    windows: new Int32Array(size),
    mac: new Int32Array(size),
  };
  const table = literal(join(folder, 'users.parquet'));
  // An import of an earlier program knows no devices.
  const devices = (await hasColumn(duck, table, 'windows')) ? 'windows, mac' : '0 AS windows, 0 AS mac';
  const columns = `id, guest, methods, passkeys, capable, groups, count, snoozed, ${devices}`;
  for await (const chunk of duck.chunks(`SELECT ${columns} FROM ${table} ORDER BY uid`)) {
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const [id, guest, methods, passkeys, capable, groups, count, snoozed, windows, mac] = userColumns.map((at) =>
        chunk.value(at, row),
      );
      const uid = ids.length;
      users.windows[uid] = Number(windows);
      users.mac[uid] = Number(mac);
      const bound = boundNumbers(Number(windows), Number(mac));
      const facts = classFacts({ id, guest, methods, passkeys, capable, groups }, bound);
      ids.push(facts.id);
      users.classes[uid] = classes.of(facts);
      users.counts[uid] = Number(count);
      users.snoozedAtMs[uid] = snoozed === null ? Number.NaN : Number(snoozed);
    }
  }
  return users;
}

const userColumns = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Whether a table of an import has a column; those of earlier programs have fewer. Takes the table as SQL names it. */
export async function hasColumn(duck: Duck, table: string, name: string): Promise<boolean> {
  return (await columnsOf(duck, table)).some((column) => column.name === name);
}

function classFacts(
  row: Readonly<Record<'id' | 'guest' | 'methods' | 'passkeys' | 'capable' | 'groups', unknown>>,
  bound: Readonly<Record<'windows' | 'mac', number>>,
): ClassFacts {
  const groups = String(row.groups);
  return {
    id: String(row.id),
    type: row.guest === true ? 'guest' : 'member',
    groups: groups === '' ? [] : groups.split('\u001f'),
    methods: methodsOf(Number(row.methods)),
    passkeys: passkeysOf(String(row.passkeys)).map((type) => {
      const system = systemOfPasskey(type);
      return { type, deviceId: system === null ? importedDevice : deviceName(bound[system]) };
    }),
    mfaCapable: row.capable === true,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
