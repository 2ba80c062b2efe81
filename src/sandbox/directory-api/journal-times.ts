import { NumberList } from '../../core/number-list.ts';
import { type JournalRange, type RestorePoint, readHistory } from '../../journal/history.ts';
import type { SandboxState } from '../../journal/state.ts';
import { restoresUpTo } from '../../journal/stored-state.ts';
import type { Recorder } from '../recorder.ts';

/** Number of journal entries per read, and per block of times. */
const entriesPerRead = 5_000;
const blockEntries = 512;

/** What is known of the journal up to an entry. */
interface KnownJournal {
  /** State of the sandbox; a restored sandbox has another one, and another history. */
  readonly state: SandboxState;
  readonly restores: RestorePoint[];
  /** Entries whose restores are known. */
  restoresSeq: number;
  /** First entry of each block, and the earliest time in it. A block has consecutive entries of the history. */
  readonly firsts: NumberList;
  readonly earliest: NumberList;
  /** Last entry of the last block. */
  timesSeq: number;
}

/**
 * History of a sandbox and the times of its entries. Each request reads only the entries since the last one. In memory,
 * it needs a few bytes for each block of entries.
 */
export class JournalTimes {
  readonly #recorder: Recorder;
  #known: KnownJournal | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the ranges of entries that led to the current state. */
  readHistory(): Promise<readonly JournalRange[]> {
    return this.#readHistory(this.#current());
  }

  async #readHistory(known: KnownJournal): Promise<readonly JournalRange[]> {
    const { lastSeq } = known.state;
    if (known.restoresSeq < lastSeq) {
      const { store, sandboxId } = this.#recorder;
      const from = known.restoresSeq;
      const added = await restoresUpTo(store, sandboxId, lastSeq, from);
      // Another request can have read the same ones meanwhile.
      if (known.restoresSeq === from) {
        known.restores.push(...added.filter(({ seq }) => seq <= lastSeq));
        known.restoresSeq = lastSeq;
      }
    }
    return readHistory(lastSeq, known.restores);
  }

  /** Returns the last entry of the history up to a virtual time in milliseconds, or the first entry if there is none. */
  async findLast(atMs: number): Promise<number> {
    const known = this.#current();
    const history = await this.#readHistory(known);
    await this.#extend(known, history);
    for (let block = known.firsts.length - 1; block >= 0; block -= 1) {
      if (known.earliest.at(block) > atMs) continue;
      const first = known.firsts.at(block);
      const end = history.find(({ from, to }) => from <= first && first <= to)?.to ?? first;
      const { store, sandboxId } = this.#recorder;
      const limit = Math.min(blockEntries, end - first + 1);
      const entries = await store.entries(sandboxId, { after: first - 1, limit });
      return entries.findLast((entry) => entry.atMs <= atMs)?.seq ?? 1;
    }
    return 1;
  }

  #current(): KnownJournal {
    const state = this.#recorder.state();
    if (this.#known?.state !== state) {
      const [firsts, earliest] = [new NumberList('uint32'), new NumberList('float64')];
      this.#known = { state, restores: [], restoresSeq: 0, firsts, earliest, timesSeq: 0 };
    }
    return this.#known;
  }

  /** Reads the times of the entries that followed the last known one. */
  async #extend(known: KnownJournal, history: readonly JournalRange[]): Promise<void> {
    const { store, sandboxId } = this.#recorder;
    for (const { from, to } of history) {
      while (known.timesSeq < to) {
        const after = Math.max(from - 1, known.timesSeq);
        const entries = await store.entries(sandboxId, { after, limit: Math.min(entriesPerRead, to - after) });
        if (entries.length === 0) return;
        for (const { seq, atMs } of entries)
          if (seq > known.timesSeq) noteTime(known, { seq, atMs, isFirst: seq === from });
      }
    }
  }
}

interface NotedEntry {
  readonly seq: number;
  readonly atMs: number;
  /** `true` for the first entry of a range. */
  readonly isFirst: boolean;
}

/** Adds an entry to the last block, or to a new one if that is full or in another range. */
function noteTime(known: KnownJournal, { seq, atMs, isFirst }: NotedEntry): void {
  const { firsts, earliest } = known;
  const block = firsts.length - 1;
  if (!isFirst && block >= 0 && seq < firsts.at(block) + blockEntries) {
    earliest.set(block, Math.min(earliest.at(block), atMs));
  } else {
    firsts.push(seq);
    earliest.push(atMs);
  }
  known.timesSeq = seq;
}
