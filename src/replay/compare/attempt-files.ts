import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ComparedAttempt } from '../../contract/compared-attempt.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { randomId } from '../../core/ids.ts';
import { DuckDbSession, fileLiteral, literal } from '../import/duckdb-session.ts';
import { comparisonCsvHead, comparisonCsvLine } from './attempt-csv.ts';

/** Output paths for attempts; `null` if an output is disabled. */
export interface AttemptPaths {
  readonly csv: string | null;
  readonly parquet: string | null;
  /** Report file of the same command, which also must not exist. */
  readonly html: string | null;
  readonly force: boolean;
}

/** Writer for changed attempts as CSV, and as Parquet converted from it. */
export class AttemptFiles {
  readonly #csv: WriteStream | null;
  readonly #csvPath: string;
  readonly #args: AttemptPaths;
  readonly #parquet: string | null;

  private constructor(args: AttemptPaths, csvPath: string, parquet: string | null) {
    this.#args = args;
    this.#csvPath = csvPath;
    this.#parquet = parquet;
    this.#csv = this.isWanted ? createWriteStream(csvPath) : null;
    this.#csv?.write(comparisonCsvHead);
  }

  /** Creates the requested files. Throws `file-exists`, and `package-missing` for Parquet. */
  static async open(args: AttemptPaths, cwd: string): Promise<AttemptFiles> {
    for (const file of [args.csv, args.parquet, args.html]) {
      if (file !== null && !args.force && existsSync(resolve(cwd, file))) {
        throw new NudgeLabError('file-exists', { message: `${file} already exists.` });
      }
    }
    const csv = args.csv === null ? join(tmpdir(), `nudgelab-${randomId()}.csv`) : resolve(cwd, args.csv);
    return new AttemptFiles(args, csv, args.parquet === null ? null : resolve(cwd, args.parquet));
  }

  /** `true` if any file is requested. */
  get isWanted(): boolean {
    return this.#args.csv !== null || this.#args.parquet !== null;
  }

  write(attempt: ComparedAttempt): void {
    this.#csv?.write(comparisonCsvLine(attempt));
  }

  /** Completes the files and returns their names. */
  async close(): Promise<string[]> {
    if (this.#csv === null) return [];
    this.#csv.end();
    await finished(this.#csv);
    if (this.#parquet !== null) await this.#writeParquet(this.#parquet);
    if (this.#args.csv === null) await rm(this.#csvPath);
    return [this.#args.csv, this.#args.parquet].filter((file) => file !== null);
  }

  async #writeParquet(path: string): Promise<void> {
    const session = await DuckDbSession.open(tmpdir());
    try {
      const types = `types = {'at': 'TIMESTAMP', 'changed': 'BOOLEAN', 'certain': 'BOOLEAN'}`;
      const source = `read_csv(${fileLiteral(this.#csvPath)}, header = true, all_varchar = false, auto_detect = true, sample_size = -1, ${types})`;
      await session.run(`COPY (SELECT * FROM ${source}) TO ${literal(path)} (FORMAT parquet)`);
    } finally {
      session.close();
    }
  }
}
