import type { JournalEntry } from './input.ts';

/** A stored fold: the state after `seq`, as text, with the digest of the machines that folded it. */
export interface StoredSnapshot {
  readonly seq: number;
  readonly digest: string;
  readonly state: string;
}

/** Which entries of a journal to read. */
export interface EntryQuery {
  /** Entries after this place; 0 begins at the first. */
  readonly after: number;
  /** How many at most. */
  readonly limit: number;
  /** Only inputs of this type. */
  readonly type?: string;
}

/**
 * Where journals are kept. Appending is immediate and in order; `flushed` tells when what was appended is safe. Reading waits
 * for nothing but the medium. Every failure to write is `store-failed`, and from then on the store takes nothing more.
 */
export interface JournalStore {
  /** Whether an entry outlives the process once `flushed` says so. */
  readonly durable: boolean;
  /** Appends one entry. Throws `journal-full` at the limit and `store-failed` after a failure; then nothing was appended. */
  append(sandboxId: string, entry: JournalEntry): void;
  /** A promise for the moment when all that was appended is safe, or `null` when it is already. Rejects with `store-failed`. */
  flushed(): Promise<void> | null;
  /** Entries of one journal in order. */
  entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]>;
  /** Ids of all sandboxes, in order of creation. */
  sandboxIds(): Promise<readonly string[]>;
  /** Removes a sandbox with all that is kept for it. */
  remove(sandboxId: string): Promise<void>;
  /** A snapshot by name; the unnamed one (`''`) is the newest fold, others were taken by a user. */
  snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null>;
  saveSnapshot(sandboxId: string, name: string, snapshot: StoredSnapshot): Promise<void>;
  /** A value kept beside the journal, such as a signing key. */
  keep(sandboxId: string, name: string, value: string): Promise<void>;
  kept(sandboxId: string, name: string): Promise<string | null>;
  /** Writes what is pending and releases the medium. */
  close(): Promise<void>;
}
