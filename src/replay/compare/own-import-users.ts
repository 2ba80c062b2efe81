import { join } from 'node:path';
import { type DuckDbSession, fileLiteral } from '../import/duckdb-session.ts';
import { type ImportedKind, readKind, readUserKinds } from './read-import.ts';
import type { ClassFacts } from './user-classes.ts';

/** User of an import with the earlier snoozes. */
export interface ImportedUser {
  readonly facts: ClassFacts;
  readonly count: number;
  readonly snoozedAtMs: number | null;
}

/** Users of an import by number. Equal combinations of values are kept once. */
export class OwnImportUsers {
  readonly #ids: string[] = [];
  readonly #kinds: readonly ImportedKind[];
  readonly #kindOf: number[] = [];
  readonly #counts: number[] = [];
  readonly #snoozedAtMs: number[] = [];

  private constructor(kinds: readonly ImportedKind[]) {
    this.#kinds = kinds;
  }

  /** Reads the users of an import. */
  static async read(session: DuckDbSession, folder: string): Promise<OwnImportUsers> {
    const table = fileLiteral(join(folder, 'users.parquet'));
    const { kinds, joined } = await readUserKinds(session, table);
    const users = new OwnImportUsers(kinds);
    const columns = "id, kind, count, coalesce(snoozed::DOUBLE, 'NaN'::DOUBLE)";
    for await (const chunk of session.chunks(`SELECT ${columns} FROM ${joined} ORDER BY uid`)) {
      const [kinds_, counts, snoozed] = [chunk.numbers(1), chunk.numbers(2), chunk.numbers(3)];
      for (let row = 0; row < chunk.rowCount; row += 1) {
        users.#ids.push(String(chunk.value(0, row)));
        users.#kindOf.push(kinds_[row] as number);
        users.#counts.push(counts[row] as number);
        users.#snoozedAtMs.push(snoozed[row] as number);
      }
    }
    return users;
  }

  /** Number of users. */
  get size(): number {
    return this.#ids.length;
  }

  /** Returns the id of a user. */
  id(uid: number): string {
    return this.#ids[uid] ?? '';
  }

  /** Returns a user. */
  get(uid: number): ImportedUser {
    const snoozedAtMs = this.#snoozedAtMs[uid] ?? Number.NaN;
    return {
      facts: readKind({ ...this.#kinds[this.#kindOf[uid] ?? 0], id: this.id(uid) }),
      count: this.#counts[uid] ?? 0,
      snoozedAtMs: Number.isNaN(snoozedAtMs) ? null : snoozedAtMs,
    };
  }
}
