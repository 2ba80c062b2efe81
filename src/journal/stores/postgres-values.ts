import type { StoredFiles, StoreValues } from '../store.ts';

/** Names under which values are stored beside the files of documents, whose names are digests. */
export const valueFolders = { values: 'store-values', secrets: 'store-secrets' } as const;

/** Values of a database that belong to no sandbox. Every process of the database reads them. */
export class PostgresValues implements StoreValues {
  readonly #files: StoredFiles;

  readonly #folder: string;

  /** Creates the values on the stored files of a database. */
  constructor(files: StoredFiles, folder: string = valueFolders.values) {
    this.#files = files;
    this.#folder = folder;
  }

  async put(name: string, value: string): Promise<string> {
    await this.#files.put(this.#folder, name, Buffer.from(value));
    return (await this.get(name)) ?? '';
  }

  names(): Promise<readonly string[]> {
    return this.#files.names(this.#folder);
  }

  async get(name: string): Promise<string | null> {
    const bytes = await this.#files.get(this.#folder, name);
    return bytes.length === 0 ? null : Buffer.from(bytes).toString('utf8');
  }
}
