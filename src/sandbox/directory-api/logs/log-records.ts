import { LruMap } from '../../../core/lru-map.ts';

/** Number of records per block. */
const blockRecords = 512;

/** Number of blocks whose records are held in a readable form. */
const readableBlocksMax = 32;

/** Range of records whose times do not decrease; both ends are included. */
export interface LogRun {
  readonly from: number;
  to: number;
  readonly fromMs: number;
  toMs: number;
}

/**
 * Append-only list of records as text, in blocks of one byte per character. Records are in the order of the journal,
 * and their times decrease only where the clock was set back, which starts another run.
 */
export class LogRecords {
  readonly #blocks: Buffer[] = [];
  readonly #readable = new LruMap<number, readonly string[]>({ max: readableBlocksMax });
  readonly #runs: LogRun[] = [];
  #last: string[] = [];

  /** Number of records. */
  get length(): number {
    return this.#blocks.length * blockRecords + this.#last.length;
  }

  /** Runs in the order of the journal. */
  get runs(): readonly Readonly<LogRun>[] {
    return this.#runs;
  }

  /** Number of bytes that the blocks need. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  /** Appends a record without line breaks, and returns its index. */
  append(atMs: number, text: string): number {
    const index = this.length;
    const run = this.#runs.at(-1);
    if (run !== undefined && atMs >= run.toMs) {
      run.to = index;
      run.toMs = atMs;
    } else this.#runs.push({ from: index, to: index, fromMs: atMs, toMs: atMs });
    this.#last.push(text);
    if (this.#last.length === blockRecords) {
      this.#blocks.push(Buffer.from(this.#last.join('\n')));
      this.#last = [];
    }
    return index;
  }

  /** Returns a record. */
  read(index: number): string {
    const block = Math.floor(index / blockRecords);
    const place = index % blockRecords;
    if (block === this.#blocks.length) return this.#last[place] ?? '';
    let records = this.#readable.get(block);
    if (records === undefined) {
      records = (this.#blocks[block] ?? Buffer.alloc(0)).toString().split('\n');
      this.#readable.set(block, records);
    }
    return records[place] ?? '';
  }
}
