import type { StoredFiles, StoreValues } from '../store.ts';

/** Name under which the values are stored beside the files of documents, whose names are digests. */
const folder = 'store-values';

/** Values of a database that belong to no sandbox. Every process of the database reads them. */
export class PostgresValues implements StoreValues {
  readonly #files: StoredFiles;

  /** Creates the values on the stored files of a database. */
  constructor(files: StoredFiles) {
    this.#files = files;
  }

  async put(name: string, value: string): Promise<string> {
    await this.#files.put(folder, name, Buffer.from(value));
    return (await this.get(name)) ?? '';
  }

  names(): Promise<readonly string[]> {
    return this.#files.names(folder);
  }

  async get(name: string): Promise<string | null> {
    const bytes = await this.#files.get(folder, name);
    return bytes.length === 0 ? null : Buffer.from(bytes).toString('utf8');
  }
}
