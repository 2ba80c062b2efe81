import type { JournalEntry } from './journal-event.ts';
import type { StoreSharing } from './sharing.ts';

/** Where a snapshot stands in its journal. */
export interface SnapshotPlace {
  /** `''` is the newest fold, which the store keeps for itself; others were taken by a user. */
  readonly name: string;
  /** The place in the journal after which it was taken. */
  readonly seq: number;
  /** Virtual time at which it was taken, in ms. */
  readonly atMs: number;
  /** Digest of the machines that folded it; by others it is folded again. */
  readonly digest: string;
}

/** A stored fold: its place, and the state after it as text. */
export interface StoredSnapshot extends SnapshotPlace {
  readonly state: string;
}

/** Which entries of a journal to read. */
export interface EntryQuery {
  /** Entries after this place; 0 begins at the first. */
  readonly after: number;
  /** How many at most. */
  readonly limit: number;
  /** Only events of this type. */
  readonly type?: string;
}

/** Files of documents that are kept in the store itself, since the processes that share it share no folder. */
export interface StoredFiles {
  /** Keeps a file of a document, by the digest of the document and its own name; one that is there stays. */
  put(digest: string, name: string, bytes: Uint8Array): Promise<void>;
  /** The names of all files of a document. */
  names(digest: string): Promise<readonly string[]>;
  /** A file of a document; empty when there is none. */
  get(digest: string, name: string): Promise<Uint8Array>;
  /** Forgets those of some documents for which no sandbox keeps a value any more that is named by `claimName` and the digest. */
  discardUnclaimed(digests: readonly string[], claimName: string): Promise<void>;
}

/**
 * Where journals are kept. Appending is immediate and in order; `flushed` tells when what was appended is safe. Reading shows
 * all that was appended. Every failure to write is `store-failed`, and from then on the store takes nothing more, since what
 * its callers hold may be ahead of it. A store that several processes share says `store-unavailable` instead and comes back by
 * itself: its callers drop what they hold and read it again.
 */
export interface JournalStore {
  /** Whether an entry outlives the process once `flushed` says so. */
  readonly durable: boolean;
  /** The folder for files that belong to journals and are too large for them; without it they are forgotten with the process. */
  readonly filesFolder?: string;
  /** Where those files stand instead, for a store that several processes share. */
  readonly files?: StoredFiles;
  /** How several processes share it; without it this process has the store for itself. */
  readonly sharing?: StoreSharing;
  /**
   * Whether the next entry of a sandbox would be taken, so that nothing is folded which could not be appended. Throws what
   * `append` would: `journal-full` at the limit, `store-failed` after a failure, `sandbox-not-found`.
   */
  admit(sandboxId: string): void;
  /**
   * Appends one entry; entry 1 begins the journal of a new sandbox, the others follow without gaps. Throws `journal-full`,
   * `store-failed`, `sandbox-not-found`; then nothing was appended.
   */
  append(sandboxId: string, entry: JournalEntry): void;
  /** A promise for the moment when all that was appended is safe, or `null` when it is already. Rejects with `store-failed`. */
  flushed(): Promise<void> | null;
  /** Entries of one journal in order; none of a sandbox that is not there. */
  entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]>;
  /** The place of the last entry; 0 of a sandbox that is not there. */
  lastSeq(sandboxId: string): Promise<number>;
  /** Ids of all sandboxes, in order of creation. */
  sandboxIds(): Promise<readonly string[]>;
  /**
   * Begins a new sandbox with a copy of the whole journal of another, and of its snapshots, up to a place. What is kept beside
   * the journal is not copied: a fork has keys of its own. Resolves when it is safe. Throws `sandbox-not-found`.
   */
  fork(sandboxId: string, forkId: string, lastSeq: number): Promise<void>;
  /** Removes a sandbox with all that is kept for it. Resolves when it is gone for good. */
  remove(sandboxId: string): Promise<void>;
  /** A snapshot by name, `null` when there is none. Throws `store-corrupt` when it was damaged. */
  snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null>;
  /** The places of all snapshots of a sandbox, by name. */
  snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]>;
  /** Keeps a snapshot under its name, in place of the one before. Resolves when it is safe. Throws `sandbox-not-found`. */
  saveSnapshot(sandboxId: string, snapshot: StoredSnapshot): Promise<void>;
  /** Keeps a value beside the journal, such as a signing key. Resolves when it is safe. Throws `sandbox-not-found`. */
  keep(sandboxId: string, name: string, value: string): Promise<void>;
  /** A value that was kept, `null` when there is none. Throws `store-corrupt` when it was damaged. */
  kept(sandboxId: string, name: string): Promise<string | null>;
  /** All values whose names begin so, by name. Throws `store-corrupt` when one was damaged. */
  keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>>;
  /** Keeps a value no longer; one that is not there is no fault. Resolves when it is gone for good. */
  discard(sandboxId: string, name: string): Promise<void>;
  /** Writes what is pending and releases the medium. */
  close(): Promise<void>;
}
