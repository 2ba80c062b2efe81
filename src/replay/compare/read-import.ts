import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportManifest, importFormat, importManifestSchema } from '../../contract/import-manifest.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type Duck, literal } from '../import/duck.ts';
import { methodsOf, passkeysOf } from '../import/user-methods.ts';
import { type ClassFacts, importedDevice, type UserClasses } from './user-classes.ts';

/** The users of an import, by number. */
export interface ImportedUsers {
  readonly ids: readonly string[];
  readonly classes: Int32Array;
  readonly counts: Int32Array;
  /** `NaN` where no snooze is known. */
  readonly snoozedAtMs: Float64Array;
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
  };
  const table = literal(join(folder, 'users.parquet'));
  const columns = 'id, guest, methods, passkeys, capable, groups, count, snoozed';
  for await (const chunk of duck.chunks(`SELECT ${columns} FROM ${table} ORDER BY uid`)) {
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const [id, guest, methods, passkeys, capable, groups, count, snoozed] = [0, 1, 2, 3, 4, 5, 6, 7].map((at) =>
        chunk.value(at, row),
      );
      const facts = classFacts({ id, guest, methods, passkeys, capable, groups });
      const uid = ids.length;
      ids.push(facts.id);
      users.classes[uid] = classes.of(facts);
      users.counts[uid] = Number(count);
      users.snoozedAtMs[uid] = snoozed === null ? Number.NaN : Number(snoozed);
    }
  }
  return users;
}

function classFacts(
  row: Readonly<Record<'id' | 'guest' | 'methods' | 'passkeys' | 'capable' | 'groups', unknown>>,
): ClassFacts {
  const groups = String(row.groups);
  return {
    id: String(row.id),
    type: row.guest === true ? 'guest' : 'member',
    groups: groups === '' ? [] : groups.split('\u001f'),
    methods: methodsOf(Number(row.methods)),
    passkeys: passkeysOf(String(row.passkeys)).map((type) => ({ type, deviceId: importedDevice })),
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
