import type { NudgeLabError } from '../core/errors.ts';
import type { JournalEntry } from './journal-event.ts';

/** How far a process knows a sandbox that several processes answer for. */
export interface KnownPlace {
  /** Number of the sandbox in the store; one that is made again under the same id has another. */
  readonly number: number;
  /** Place of the last entry that was folded. */
  readonly seq: number;
  /** Mark of the last change of a kept value that was heard of. */
  readonly mark: number;
}

/** What a process is told when it takes a sandbox. */
export interface TakenSandbox {
  /** The place that the store is at now. */
  readonly place: KnownPlace;
  /** Whether it is the very sandbox that was known, and not another one that was made under the same id. */
  readonly isKnown: boolean;
  /** What others have written since the place that was known, in order; `null` when that is unknown or too much to tell. */
  readonly changes: {
    readonly entries: readonly JournalEntry[];
    /** Values kept since, by name, `null` for one that was discarded; `null` when any of them may have changed. */
    readonly kept: ReadonlyMap<string, string | null> | null;
  } | null;
  /** Place of the newest stored snapshot of the store; 0 when there is none. */
  readonly foldedSeq: number;
}

/** Hears what happens to sandboxes of a store that other processes write to. */
export interface SharingListener {
  /** Another process wants a sandbox that this one holds. */
  wanted(sandboxId: string): void;
  /** Another process has written to a sandbox that is followed here. */
  written(sandboxId: string): void;
  /** Another process has removed a sandbox. */
  removed(sandboxId: string): void;
  /** All that was held is held no longer, and why; what was not acknowledged may be lost. */
  lost(reason: NudgeLabError): void;
  /** Another process has said where it answers. */
  addressed(): void;
}

/**
 * How the processes that share a store agree on who writes to a sandbox: one at a time, by a lease that ends with the process.
 * Only the holder of the lease can append, keep and remove.
 */
export interface StoreSharing {
  /** Says who hears of what other processes do. */
  listen(listener: SharingListener): void;
  /**
   * Waits until this process alone may write to a sandbox. Takes how far the sandbox is known here, `null` for not at all.
   * Returns `null` when there is no such sandbox. Throws `store-unavailable`.
   */
  take(sandboxId: string, known: KnownPlace | null): Promise<TakenSandbox | null>;
  /** Lets others write to a sandbox. Returns how far it is known here; resolves when all that was appended is safe. */
  giveBack(sandboxId: string): Promise<KnownPlace | null>;
  /** Begins a sandbox, held by this process, before its first entry. Throws `sandbox-exists`, `store-unavailable`. */
  reserve(sandboxId: string): Promise<void>;
  /** Whether there is a sandbox of an id. Throws `store-unavailable`. */
  has(sandboxId: string): Promise<boolean>;
  /** Throws `store-unavailable` while the store cannot be reached. */
  refuseAway(): void;
  /** Asks to be told what others write to a sandbox; resolves when nothing is missed any more. Returns what ends it. */
  follow(sandboxId: string): Promise<() => void>;
  /** Says at which base address this process answers. */
  answerAt(baseUrl: string): Promise<void>;
  /** All base addresses that processes have said, the latest first, bounded. */
  addresses(): Promise<readonly string[]>;
}
