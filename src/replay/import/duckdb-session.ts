import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { NudgeLabError } from '../../core/errors.ts';
import { optionalPackage } from '../../core/optional-package.ts';

/** Memory that the database may take for itself; beyond it, it writes to the temporary folder. */
const memoryLimitDefault = '900MB';

/** A row as plain values: numbers are numbers where they fit, and `bigint` where they do not. */
export type Row = readonly unknown[];

/** A database of one import or comparison, in a folder of its own, which ends with it. */
export class DuckDbSession {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * Opens a database. Takes the folder for what does not fit into memory, how much may be in memory, and whether rows come in
   * the order in which a file has them, which costs some speed. Throws `package-missing`.
   */
  static async open(folder: string, memoryLimit = memoryLimitDefault, inOrder = false): Promise<DuckDbSession> {
    const { DuckDBInstance } = await loadPackage();
    const options = { memory_limit: memoryLimit, temp_directory: folder, preserve_insertion_order: String(inOrder) };
    const instance = await DuckDBInstance.create(':memory:', options);
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return new DuckDbSession(instance, connection);
  }

  /** Runs a statement. Throws `file-unreadable` with what the database says of a file. */
  async run(sql: string): Promise<void> {
    await this.#guarded(() => this.#connection.run(sql));
  }

  /** All rows of a query whose answer is small. */
  async rows(sql: string): Promise<readonly Row[]> {
    const reader = await this.#guarded(() => this.#connection.runAndReadAll(sql));
    return reader.getRowsJS().map((row) => row.map(plain));
  }

  /** The answer of a query chunk by chunk; each chunk's columns as typed arrays where their type is a number. */
  async *chunks(sql: string): AsyncGenerator<Chunk, void> {
    const result: DuckDBResult = await this.#guarded(() => this.#connection.stream(sql));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield {
        rowCount: chunk.rowCount,
        numbers: (column) => (chunk.getColumnVector(column) as unknown as { readonly items: ArrayLike<number> }).items,
        value: (column, row) => plain(chunk.getColumnVector(column).getItem(row)),
      };
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new NudgeLabError('file-unreadable', { message: firstLines(message), cause });
    }
  }
}

/** Rows that came together. */
export interface Chunk {
  readonly rowCount: number;
  numbers(column: number): ArrayLike<number>;
  value(column: number, row: number): unknown;
}

/** The number that a query answers with. */
export async function count(session: DuckDbSession, sql: string): Promise<number> {
  const [row] = await session.rows(sql);
  return Number(row?.[0] ?? 0);
}

async function loadPackage(): Promise<typeof import('@duckdb/node-api')> {
  return optionalPackage('@duckdb/node-api', 'Exports are read by', () => import('@duckdb/node-api'));
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    ? Number(value)
    : value;
}

const linesShown = 3;
const charactersShown = 600;

function firstLines(message: string): string {
  return message.split('\n').slice(0, linesShown).join(' ').slice(0, charactersShown);
}

/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The path of one file to be read, as a literal of SQL: the database takes stars and brackets in a path for other files of a folder. */
export function fileLiteral(path: string): string {
  return literal(inert(path));
}

/** All Parquet files of a folder, as a literal of SQL. */
export function parquetFilesLiteral(folder: string): string {
  return literal(join(inert(folder), '*.parquet'));
}

function inert(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}

/** A name as an identifier of SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
