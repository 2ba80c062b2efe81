import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Entries read at once while counting. */
const pageEntries = 5_000;

interface Tally {
  /** Place of the last entry that is counted. */
  seq: number;
  readonly counts: Map<string, number>;
}

/** Counts the entries of journals by type. What was counted once is not read again, however long the journal grows. */
export class JournalCounts {
  readonly #tallies = new WeakMap<Sandbox, Tally>();

  /** Entries of a sandbox's journal by the type of their input. */
  async of(sandbox: Sandbox): Promise<Readonly<Record<string, number>>> {
    const known = this.#tallies.get(sandbox);
    // A journal that is shorter than what was counted is another one: the sandbox was put back to an earlier state.
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
