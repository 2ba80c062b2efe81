import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { StoreValues } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { corrupt } from './sqlite-errors.ts';
import { keptSeal } from './sqlite-schema.ts';

/** Number of no sandbox: sandboxes are numbered from 1. */
const noSandbox = 0;

/** Values of a SQLite file that belong to no sandbox. */
export class SqliteValues implements StoreValues {
  readonly #path: string;
  readonly #commits: GroupCommit;
  readonly #statements: ReturnType<typeof prepare>;

  /** Creates the values of an open file. */
  constructor({ db, path }: { readonly db: DatabaseSync; readonly path: string }, commits: GroupCommit) {
    this.#path = path;
    this.#commits = commits;
    this.#statements = prepare(db);
  }

  async put(name: string, value: string): Promise<string> {
    this.#commits.refuseFailed();
    const sum = crc32(keptSeal(name, value));
    await this.#commits.add(() => this.#statements.insert.run(noSandbox, name, value, sum));
    return (await this.get(name)) ?? '';
  }

  names(): Promise<readonly string[]> {
    return this.#commits.read(() => this.#statements.names.all(noSandbox).map((row) => String(row['name'])));
  }

  get(name: string): Promise<string | null> {
    return this.#commits.read(() => {
      const row = this.#statements.value.get(noSandbox, name);
      if (row === undefined) return null;
      const value = String(row['value']);
      if (crc32(keptSeal(name, value)) === row['checksum']) return value;
      throw corrupt(this.#path, `the value ${name} is damaged`);
    });
  }
}

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare('INSERT OR IGNORE INTO kept (sandbox, name, value, checksum) VALUES (?, ?, ?, ?)'),
    names: db.prepare('SELECT name FROM kept WHERE sandbox = ? ORDER BY name'),
    value: db.prepare('SELECT value, checksum FROM kept WHERE sandbox = ? AND name = ?'),
  };
}
