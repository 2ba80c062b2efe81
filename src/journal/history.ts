import type { JournalEntry } from './journal-event.ts';

/** Range of a journal, with both ends included. */
export interface JournalRange {
  readonly from: number;
  readonly to: number;
}

/** Position of a restore in a journal, and the sequence number that it restores. */
export interface RestorePoint {
  readonly seq: number;
  readonly toSeq: number;
}

/**
 * Returns the journal ranges that form the history of an entry. An entry follows the previous one, and a restore
 * follows the entry that it restores.
 * @param restores - all restores in order
 */
export function readHistory(seq: number, restores: readonly RestorePoint[]): readonly JournalRange[] {
  const ranges: JournalRange[] = [];
  let to = seq;
  for (const restore of restores.toReversed()) {
    if (restore.seq > to) continue;
    ranges.push({ from: restore.seq, to });
    to = restore.toSeq;
  }
  ranges.push({ from: 1, to });
  return ranges.reverse();
}

/** Returns the entries of a whole journal that form the history of its last entry. */
export function effectiveEntries(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const restores: RestorePoint[] = [];
  for (const { seq, event: input } of entries) {
    if (input.type === 'state.restored') restores.push({ seq, toSeq: input.toSeq });
  }
  if (restores.length === 0) return entries;
  return readHistory(entries.length, restores).flatMap(({ from, to }) => entries.slice(from - 1, to));
}
