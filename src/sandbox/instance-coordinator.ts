import { NudgeLabError } from '../core/errors.ts';
import type { AnnouncedAddress } from '../core/served-address.ts';
import type { StoreSharing, TakenSandbox } from '../journal/sharing.ts';
import type { JournalStore } from '../journal/store.ts';
import { stateAt } from '../journal/stored-state.ts';
import { claimName } from './documents/document-service.ts';
import { LeaseManager } from './lease-manager.ts';
import type { Sandbox } from './sandbox.ts';
import { sharedStatePrefix } from './shared-state.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

/** Sandbox that is open in this process. */
export interface Held {
  readonly sandbox: Sandbox;
  /** Writer for snapshots, or `null` if nothing outlives the process. */
  readonly writer: SnapshotWriter | null;
}

/** Dependencies for sharing sandboxes between processes. */
export interface SharedParts {
  readonly store: JournalStore;
  /** Digest of the state machines that apply events. */
  readonly digest: string;
  /** Open sandboxes of this process, by id. */
  readonly held: Map<string, Held>;
  /** Opens a sandbox from the store and adds it to the open ones. */
  open(id: string): Promise<void>;
  /** Registers the files that a sandbox needs, from the names of stored values. */
  claim(id: string, names: Iterable<string>): void;
  /** Releases the files of a removed sandbox. */
  release(id: string): Promise<void>;
  /** Called with the addresses of all processes that share the store. */
  addressed(addresses: readonly AnnouncedAddress[]): void;
}

/** Synchronizes the sandboxes of this process with the other processes that share the store. */
export class InstanceCoordinator {
  readonly leases: LeaseManager;
  readonly #sharing: StoreSharing;
  readonly #parts: SharedParts;
  /** Version of the addresses that were read when a lease was acquired. */
  #addressesVersion = '';
  /** Latest reading of the addresses. One waits for the previous one, so that an earlier result never replaces it. */
  #reading: Promise<void> = Promise.resolve();

  constructor(sharing: StoreSharing, parts: SharedParts) {
    this.#sharing = sharing;
    this.#parts = parts;
    this.leases = new LeaseManager(sharing, {
      takeUp: (id, taken) => this.#takeUp(id, taken),
      handOver: async (id) => this.#handOver(id),
      drop: (id, reason) => this.#drop(id, reason),
    });
    sharing.listen({
      wanted: (id) => this.leases.want(id),
      written: (id) => parts.held.get(id)?.sandbox.recorder.wake(),
      removed: (id) => this.#hearRemoved(id),
      lost: (reason) => this.leases.loseAll(reason),
      addressed: () => {
        // If the store is unavailable, the next lease reads them.
        this.#readAddresses().catch(() => undefined);
      },
    });
  }

  /** Publishes the addresses of this process and reads those of the others. Throws `store-unavailable`. */
  async answerAt(addresses: readonly AnnouncedAddress[]): Promise<void> {
    await this.#sharing.answerAt(addresses);
    await this.#readAddresses();
  }

  /**
   * States the URL under which other processes reach this one, and returns the secret that all of them share. Throws
   * `store-unavailable`.
   */
  async advertise(url: string): Promise<string> {
    await this.#sharing.advertise(url);
    return this.#sharing.readSecret();
  }

  /** Returns `true` if this process has the lease of a sandbox or is about to get it. */
  isLeasedHere(id: string): boolean {
    return this.leases.isHere(id);
  }

  /** Returns the URL of the process that has the lease of a sandbox, or `null` if unknown. Throws `store-unavailable`. */
  findHolder(id: string): Promise<string | null> {
    return this.#sharing.findHolder(id);
  }

  #readAddresses(): Promise<void> {
    const read = async (): Promise<void> => this.#parts.addressed(await this.#sharing.addresses());
    this.#reading = this.#reading.then(read, read);
    return this.#reading;
  }

  /** Opens a sandbox after its lease was acquired, or updates it with entries that other processes have written. */
  async #takeUp(id: string, { place, isKnown, changes, foldedSeq, addressesVersion }: TakenSandbox): Promise<void> {
    const { held, store, digest, claim, open } = this.#parts;
    if (addressesVersion !== this.#addressesVersion) {
      await this.#readAddresses();
      this.#addressesVersion = addressesVersion;
    }
    if (!isKnown) this.#drop(id, removed(id));
    const known = held.get(id);
    if (known === undefined) {
      await open(id);
      return;
    }
    const { recorder } = known.sandbox;
    const followed = changes !== null && recorder.catchUp(changes.entries);
    if (!followed) recorder.adopt(await stateAt(store, id, place.seq, digest));
    const kept = changes?.kept ?? null;
    recorder.carried.take(kept ?? (await store.keptUnder(id, sharedStatePrefix)), followed && kept !== null);
    claim(id, kept?.keys() ?? (await store.keptUnder(id, claimName)).keys());
    known.writer?.knows(foldedSeq);
  }

  #handOver(id: string): void {
    const { held, store } = this.#parts;
    const recorder = held.get(id)?.sandbox.recorder;
    if (recorder?.answers !== true) return;
    // These writes join the pending ones. Returning the lease waits for all of them.
    for (const [name, value] of recorder.carried.give()) {
      const written = value === null ? store.discard(id, name) : store.keep(id, name, value);
      written.catch(() => undefined);
    }
  }

  #hearRemoved(id: string): void {
    this.#drop(id, removed(id));
    this.leases.forget(id);
    this.#parts.release(id).catch(() => undefined);
  }

  #drop(id: string, reason: NudgeLabError): void {
    const { held } = this.#parts;
    const dropped = held.get(id);
    held.delete(id);
    dropped?.sandbox.recorder.stop(reason);
  }
}

function removed(id: string): NudgeLabError {
  return new NudgeLabError('sandbox-not-found', { message: `Sandbox ${id} was deleted.` });
}
