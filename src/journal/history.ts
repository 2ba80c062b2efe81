import type { JournalEntry } from './journal-event.ts';

/** A stretch of a journal; both ends belong to it. */
export interface JournalRange {
  readonly from: number;
  readonly to: number;
}

/** Where a journal went back, and to which place. */
export interface RestorePoint {
  readonly seq: number;
  readonly toSeq: number;
}

/**
 * The stretches of a journal that make up the history of one entry: the chain of its predecessors, where an entry follows the
 * one before it and a restore follows the place it went back to. Takes the place and all restores, in order.
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

/** The entries of a whole journal that make up the history of its last one. */
export function effectiveEntries(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const restores: RestorePoint[] = [];
  for (const { seq, event: input } of entries) {
    if (input.type === 'state.restored') restores.push({ seq, toSeq: input.toSeq });
  }
  if (restores.length === 0) return entries;
  return readHistory(entries.length, restores).flatMap(({ from, to }) => entries.slice(from - 1, to));
}
