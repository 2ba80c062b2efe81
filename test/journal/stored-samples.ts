import type { JournalEntry, JournalInput } from '../../src/journal/input.ts';
import type { StoredSnapshot } from '../../src/journal/store.ts';

/** An entry that a store keeps without asking what it means. */
export function entryAt(
  seq: number,
  input: JournalInput = { type: 'token.revoked', tokenId: `t${seq}` },
): JournalEntry {
  return { seq, atMs: 1_767_603_600_000 + seq, input };
}

/** A snapshot of a place with any text. */
export function snapshotAt(seq: number, name: string, state = `state after ${seq}`): StoredSnapshot {
  return { name, seq, atMs: 1_767_603_600_000 + seq, digest: 'digest', state };
}
