import type { StoredFiles } from '../store.ts';
import type { PostgresReader } from './postgres-reader.ts';

/** Maximum number of bytes per row. */
const partBytes = 1_048_576;

/** Document files in the database, for processes without a common folder. */
export class PostgresFiles implements StoredFiles {
  readonly #reader: PostgresReader;

  /** Creates the file storage on a database reader. */
  constructor(reader: PostgresReader) {
    this.#reader = reader;
  }

  async put(digest: string, name: string, bytes: Uint8Array): Promise<void> {
    const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
    for (let part = 0; part < parts; part += 1) {
      const values = { digest, name, part, bytes: bytes.subarray(part * partBytes, (part + 1) * partBytes) };
      await this.#reader.ask((db) =>
        db
          .insertInto('document_file')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    }
  }

  async names(digest: string): Promise<readonly string[]> {
    const rows = await this.#reader.ask((db) =>
      db.selectFrom('document_file').select('name').distinct().where('digest', '=', digest).execute(),
    );
    return rows.map(({ name }) => name);
  }

  async get(digest: string, name: string): Promise<Uint8Array> {
    const rows = await this.#reader.ask((db) =>
      db
        .selectFrom('document_file')
        .select('bytes')
        .where('digest', '=', digest)
        .where('name', '=', name)
        .orderBy('part')
        .execute(),
    );
    return Buffer.concat(rows.map(({ bytes }) => bytes));
  }

  async discardUnclaimed(digests: readonly string[], claimName: string): Promise<void> {
    for (const digest of digests) {
      await this.#reader.ask((db) =>
        db
          .deleteFrom('document_file')
          .where('digest', '=', digest)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('kept')
                  .select('mark')
                  .where('name', '=', `${claimName}${digest}`)
                  .where('value', 'is not', null),
              ),
            ),
          )
          .execute(),
      );
    }
  }
}
