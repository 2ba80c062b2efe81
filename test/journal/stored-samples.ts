import type { JournalEntry, JournalEvent } from '../../src/journal/journal-event.ts';
import type { StoredSnapshot } from '../../src/journal/store.ts';

/** Creates an entry that a store does not interpret. */
export function entryAt(
  seq: number,
  event: JournalEvent = { type: 'token.revoked', tokenId: `t${seq}` },
): JournalEntry {
  return { seq, atMs: 1_767_603_600_000 + seq, event };
}

/** Creates a snapshot of a sequence number with any text. */
export function snapshotAt(seq: number, name: string, state = `state after ${seq}`): StoredSnapshot {
  return { name, seq, atMs: 1_767_603_600_000 + seq, digest: 'digest', state };
}
