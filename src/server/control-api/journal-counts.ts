import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Number of journal entries to read at once while counting. */
const pageEntries = 5_000;

interface Tally {
  /** Sequence number of the last counted entry. */
  seq: number;
  readonly counts: Map<string, number>;
}

/** Counts journal entries by type. Counted entries are not read again, regardless of the length of the journal. */
export class JournalCounts {
  readonly #tallies = new WeakMap<Sandbox, Tally>();

  /** Returns the number of journal entries of a sandbox by event type. */
  async of(sandbox: Sandbox): Promise<Readonly<Record<string, number>>> {
    const known = this.#tallies.get(sandbox);
    // A journal that is shorter than the counted part belongs to an earlier state that was restored.
    const { seq, counts } = known === undefined || known.seq > sandbox.entryCount ? emptyTally() : known;
    const tally: Tally = { seq, counts: new Map(counts) };
    for (;;) {
      const entries = await sandbox.journal({ after: tally.seq, limit: pageEntries });
      for (const { seq: place, event: input } of entries) {
        tally.counts.set(input.type, (tally.counts.get(input.type) ?? 0) + 1);
        tally.seq = place;
      }
      if (entries.length < pageEntries) break;
    }
    this.#tallies.set(sandbox, tally);
    return Object.fromEntries([...tally.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function emptyTally(): Tally {
  return { seq: 0, counts: new Map() };
}
