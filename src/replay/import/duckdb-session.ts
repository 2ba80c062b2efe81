import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { NudgeLabError } from '../../core/errors.ts';
import { optionalPackage } from '../../core/optional-package.ts';

/** Memory limit of the database; above it, the database uses the temporary folder. */
const memoryLimitDefault = '900MB';

/** Row of plain values; numbers are `bigint` if they exceed the safe range. */
export type Row = readonly unknown[];

/** Database of one import or comparison, in its own temporary folder. */
export class DuckDbSession {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * Opens a database. `folder` receives data above the memory limit. `inOrder` preserves the order of rows in files, at
   * some cost in speed. Throws `package-missing`.
   */
  static async open(folder: string, memoryLimit = memoryLimitDefault, inOrder = false): Promise<DuckDbSession> {
    const { DuckDBInstance } = await loadPackage();
    const options = { memory_limit: memoryLimit, temp_directory: folder, preserve_insertion_order: String(inOrder) };
    const instance = await DuckDBInstance.create(':memory:', options);
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return new DuckDbSession(instance, connection);
  }

  /** Runs a statement. Throws `file-unreadable` with the database error for a file. */
  async run(sql: string): Promise<void> {
    await this.#guarded(() => this.#connection.run(sql));
  }

  /** Returns all rows of a query with a small result. */
  async rows(sql: string): Promise<readonly Row[]> {
    const reader = await this.#guarded(() => this.#connection.runAndReadAll(sql));
    return reader.getRowsJS().map((row) => row.map(plain));
  }

  /** Yields the result of a query in chunks, with numeric columns as typed arrays. */
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

/** Chunk of result rows. */
export interface Chunk {
  readonly rowCount: number;
  numbers(column: number): ArrayLike<number>;
  value(column: number, row: number): unknown;
}

/** Returns the numeric result of a query. */
export async function count(session: DuckDbSession, sql: string): Promise<number> {
  const [row] = await session.rows(sql);
  return Number(row?.[0] ?? 0);
}

async function loadPackage(): Promise<typeof import('@duckdb/node-api')> {
  return optionalPackage('@duckdb/node-api', 'Reading exports requires', () => import('@duckdb/node-api'));
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

/** Formats text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Formats the path of a single file as an SQL literal, escaped because the database expands wildcards and brackets in
 * paths.
 */
export function fileLiteral(path: string): string {
  return literal(inert(path));
}

/** Formats the pattern for all Parquet files of a folder as an SQL literal. */
export function parquetFilesLiteral(folder: string): string {
  return literal(join(inert(folder), '*.parquet'));
}

function inert(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}

/** Formats a name as an SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
