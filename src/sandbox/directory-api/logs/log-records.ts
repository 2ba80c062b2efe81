import { LruMap } from '../../../core/lru-map.ts';
import { NumberList } from '../../../core/number-list.ts';

/** Number of records per block. */
const blockRecords = 512;

/** Number of blocks whose records are held in a readable form. */
const readableBlocksMax = 32;

/** Range of records whose times do not decrease; both ends are included. */
export interface LogRun {
  readonly from: number;
  readonly to: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Times between the rows of a record and the record, in milliseconds, each once. */
  readonly leadsMs: readonly number[];
}

/** Run that can still grow. */
interface OpenRun extends LogRun {
  to: number;
  toMs: number;
  readonly leadsMs: number[];
}

/** Record to append. */
export interface NewRecord {
  readonly atMs: number;
  /** Sequence number of its journal entry. */
  readonly seq: number;
  /** Text without line breaks. */
  readonly text: string;
  /** Times by which the rows of the record can precede it, in milliseconds. Default: one row at its own time. */
  readonly leadsMs?: readonly number[];
}

const ownTime: readonly number[] = [0];

/**
 * Append-only list of records as text, in blocks of one byte per character. Records are in the order of the journal,
 * and their times decrease only where the clock was set back, which starts another run.
 */
export class LogRecords {
  readonly #blocks: Buffer[] = [];
  readonly #readable = new LruMap<number, readonly string[]>({ max: readableBlocksMax });
  readonly #runs: OpenRun[] = [];
  readonly #times = new NumberList('float64');
  readonly #seqs = new NumberList('uint32');
  #last: string[] = [];

  /** Number of records. */
  get length(): number {
    return this.#times.length;
  }

  /** Runs in the order of the journal. */
  get runs(): readonly LogRun[] {
    return this.#runs;
  }

  /** Appends a record, and returns its index. */
  append({ atMs, seq, text, leadsMs = ownTime }: NewRecord): number {
    const index = this.length;
    const known = this.#runs.at(-1);
    if (known !== undefined && atMs >= known.toMs) {
      known.to = index;
      known.toMs = atMs;
      for (const leadMs of leadsMs) if (!known.leadsMs.includes(leadMs)) known.leadsMs.push(leadMs);
    } else this.#runs.push({ from: index, to: index, fromMs: atMs, toMs: atMs, leadsMs: [...leadsMs] });
    this.#times.push(atMs);
    this.#seqs.push(seq);
    this.#last.push(text);
    if (this.#last.length === blockRecords) {
      this.#blocks.push(Buffer.from(this.#last.join('\n')));
      this.#last = [];
    }
    return index;
  }

  /** Returns the text of a record. */
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

  /** Returns the time of a record in milliseconds. */
  readonly getTime = (index: number): number => this.#times.at(index);

  /** Returns the sequence number of the journal entry of a record. */
  getSeq(index: number): number {
    return this.#seqs.at(index);
  }

  /** Returns the number of records up to a journal entry. */
  countUpTo(seq: number): number {
    return this.#seqs.countUpTo(seq);
  }
}
