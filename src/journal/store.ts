import type { JournalEntry } from './journal-event.ts';
import type { StoreSharing } from './sharing.ts';

/** Position of a snapshot in its journal. */
export interface SnapshotPlace {
  /** Name of the snapshot; `''` is the latest one, which the store saves for itself. Users create all others. */
  readonly name: string;
  /** Sequence number of the last entry before the snapshot. */
  readonly seq: number;
  /** Virtual time of the snapshot in milliseconds. */
  readonly atMs: number;
  /** Digest of the machines that created it; with other machines, the state is rebuilt from the journal. */
  readonly digest: string;
}

/** Stored snapshot: its position, and the state as text. */
export interface StoredSnapshot extends SnapshotPlace {
  readonly state: string;
}

/** Selection of journal entries to read. */
export interface EntryQuery {
  /** Sequence number after which to start; 0 starts with the first entry. */
  readonly after: number;
  /** Maximum number of entries. */
  readonly limit: number;
  /** Event type to select. Default: all. */
  readonly type?: string;
}

/** Document files in the store itself, because processes that share a store have no common folder. */
export interface StoredFiles {
  /** Stores a file under the digest of its document and its own name, unless it already exists. */
  put(digest: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Lists the names of all files of a document. */
  names(digest: string): Promise<readonly string[]>;
  /** Returns a file of a document; empty if it does not exist. */
  get(digest: string, name: string): Promise<Uint8Array>;
  /**
   * Discards the files of documents that no sandbox claims any more. A claim is a stored value whose name consists of
   * `claimName` and the digest.
   */
  discardUnclaimed(digests: readonly string[], claimName: string): Promise<void>;
}

/** Values of a store that belong to no sandbox. A value is never replaced or discarded. */
export interface StoreValues {
  /** Stores a value unless the name has one. Resolves with the value of the name once it is durable. */
  put(name: string, value: string): Promise<string>;
  /** Returns the names of all values. */
  names(): Promise<readonly string[]>;
  /** Returns a value; `null` if it does not exist. Throws `store-corrupt` if it is damaged. */
  get(name: string): Promise<string | null>;
}

/**
 * Store for journals. Entries are appended immediately and in order, and `flushed` reports when they are durable. Reads
 * include all appended entries. Every write failure is `store-failed`, and the store then rejects all writes, because
 * its callers can be ahead of it. A store that several processes share throws `store-unavailable` instead and recovers
 * by itself: its callers discard their state and read it again.
 */
export interface JournalStore {
  /** `true` if entries outlive the process once `flushed` resolves. */
  readonly durable: boolean;
  /** Folder for files that are too large for journals; without it, they are lost when the process ends. */
  readonly filesFolder?: string;
  /** Storage for these files if several processes share the store. */
  readonly files?: StoredFiles;
  /** Values that belong to no sandbox; without them, they are lost when the process ends. */
  readonly values?: StoreValues;
  /** Coordination of processes that share the store; without it, this process uses the store exclusively. */
  readonly sharing?: StoreSharing;
  /**
   * Checks whether the store accepts the next entry of a sandbox, so no event is applied that cannot be appended.
   * Throws the errors of `append`: `journal-full` at the limit, `store-failed` after a failure, `sandbox-not-found`.
   */
  admit(sandboxId: string): void;
  /**
   * Appends one entry. Entry 1 starts the journal of a sandbox, and the others follow without gaps. Throws
   * `journal-full`, `store-failed` or `sandbox-not-found` without appending anything.
   */
  append(sandboxId: string, entry: JournalEntry): void;
  /**
   * Returns a promise that resolves when all appended entries are durable, or `null` if they already are. Rejects with
   * `store-failed`.
   */
  flushed(): Promise<void> | null;
  /** Returns entries of one journal in order; empty if the sandbox does not exist. */
  entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]>;
  /** Returns the sequence number of the last entry; 0 if the sandbox does not exist. */
  lastSeq(sandboxId: string): Promise<number>;
  /** Lists the ids of all sandboxes, in order of creation. */
  sandboxIds(): Promise<readonly string[]>;
  /**
   * Creates a sandbox with a copy of another one's journal and snapshots up to a sequence number. Other stored values
   * are not copied, because a fork has its own keys. Resolves when the copy is durable. Throws `sandbox-not-found`.
   */
  fork(sandboxId: string, forkId: string, lastSeq: number): Promise<void>;
  /** Removes a sandbox with all its data. Resolves when the removal is durable. */
  remove(sandboxId: string): Promise<void>;
  /** Returns a snapshot by name; `null` if it does not exist. Throws `store-corrupt` if it is damaged. */
  snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null>;
  /** Lists the positions of all snapshots of a sandbox, by name. */
  snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]>;
  /**
   * Stores a snapshot and replaces an existing one with the same name. Resolves when it is durable. Throws
   * `sandbox-not-found`.
   */
  saveSnapshot(sandboxId: string, snapshot: StoredSnapshot): Promise<void>;
  /**
   * Stores a value next to the journal, such as a signing key. Resolves when it is durable. Throws `sandbox-not-found`.
   */
  keep(sandboxId: string, name: string, value: string): Promise<void>;
  /** Returns a stored value; `null` if it does not exist. Throws `store-corrupt` if it is damaged. */
  kept(sandboxId: string, name: string): Promise<string | null>;
  /** Returns all stored values with a name prefix, by name. Throws `store-corrupt` if one of them is damaged. */
  keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>>;
  /** Discards a stored value, if it exists. Resolves when the change is durable. */
  discard(sandboxId: string, name: string): Promise<void>;
  /** Writes pending data and closes the store. */
  close(): Promise<void>;
}
