import type { NudgeLabError } from '../core/errors.ts';
import type { AnnouncedAddress } from '../core/served-address.ts';
import type { JournalEntry } from './journal-event.ts';

/** Latest known position of a sandbox that several processes share. */
export interface KnownPlace {
  /** Number of the sandbox in the store; it changes if a sandbox is created again with the same id. */
  readonly number: number;
  /** Sequence number of the last applied entry. */
  readonly seq: number;
  /** Version of the last known change to a stored value. */
  readonly mark: number;
}

/** Information for a process that acquires the lease of a sandbox. */
export interface TakenSandbox {
  /** Current position in the store. */
  readonly place: KnownPlace;
  /** `true` if it is the known sandbox, and not another one with the same id. */
  readonly isKnown: boolean;
  /**
   * Entries that other processes have written since the known position, in order; `null` if they are unknown or too
   * many.
   */
  readonly changes: {
    readonly entries: readonly JournalEntry[];
    /**
     * Values stored since then, by name; `null` if a value was discarded. The map itself is `null` if any value may
     * have changed.
     */
    readonly kept: ReadonlyMap<string, string | null> | null;
  } | null;
  /** Sequence number of the latest stored snapshot; 0 if there is none. */
  readonly foldedSeq: number;
  /** Text that changes with every announcement of addresses. */
  readonly addressesVersion: string;
}

/** Listener for the changes of other processes in a shared store. */
export interface SharingListener {
  /** Called when another process requests the lease of a sandbox that this process has. */
  wanted(sandboxId: string): void;
  /** Called when another process has written to a sandbox that this process follows. */
  written(sandboxId: string): void;
  /** Called when another process has removed a sandbox. */
  removed(sandboxId: string): void;
  /** Called when all leases of this process are lost, with the reason; unacknowledged entries may be lost. */
  lost(reason: NudgeLabError): void;
  /** Called when another process has announced its base URL. */
  addressed(): void;
}

/**
 * Coordination of processes that share a store. Only one process at a time can write to a sandbox, by a lease that ends
 * with the process. Only the process with the lease can append, store values and remove.
 */
export interface StoreSharing {
  /** Sets the listener for changes by other processes. */
  listen(listener: SharingListener): void;
  /**
   * Waits for the exclusive lease of a sandbox. `known` is the latest known position, or `null` if the sandbox is
   * unknown. Returns `null` if the sandbox does not exist. Throws `store-unavailable`.
   */
  take(sandboxId: string, known: KnownPlace | null): Promise<TakenSandbox | null>;
  /**
   * Releases the lease of a sandbox. Returns its latest known position, and resolves once everything that was appended
   * is durable.
   */
  giveBack(sandboxId: string): Promise<KnownPlace | null>;
  /**
   * Creates a sandbox with a lease for this process, before its first entry. Throws `sandbox-exists`,
   * `store-unavailable`.
   */
  reserve(sandboxId: string): Promise<void>;
  /** Checks whether a sandbox with an id exists. Throws `store-unavailable`. */
  has(sandboxId: string): Promise<boolean>;
  /**
   * Returns texts by sandbox, in order of creation, that change with every entry of its journal and if another sandbox
   * takes its id. Throws `store-unavailable`.
   */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** Throws `store-unavailable` if the store is unreachable. */
  refuseAway(): void;
  /**
   * Subscribes to the changes of other processes in a sandbox, and resolves once no change can be missed. Returns a
   * function that ends the subscription.
   */
  follow(sandboxId: string): Promise<() => void>;
  /** Announces the addresses of this process. */
  answerAt(addresses: readonly AnnouncedAddress[]): Promise<void>;
  /** Returns the announced addresses of all processes, latest first, up to a limit. */
  addresses(): Promise<readonly AnnouncedAddress[]>;
  /**
   * States the URL under which other processes reach this one, next to its leases. It is gone with the leases. Throws
   * `store-unavailable`.
   */
  advertise(url: string): Promise<void>;
  /**
   * Returns the stated URL of the process that has the lease of a sandbox, or `null` if no process has it or has stated
   * one. Throws `store-unavailable`.
   */
  findHolder(sandboxId: string): Promise<string | null>;
  /** Returns a secret that all processes of the store share and no client knows. Throws `store-unavailable`. */
  readSecret(): Promise<string>;
}
