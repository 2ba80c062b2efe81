import { NudgeLabError } from '../core/errors.ts';
import type { StoreSharing, TakenSandbox } from '../journal/sharing.ts';
import type { JournalStore } from '../journal/store.ts';
import { stateAt } from '../journal/stored-state.ts';
import { claimName } from './documents/document-service.ts';
import { LeaseManager } from './lease-manager.ts';
import type { Sandbox } from './sandbox.ts';
import { sharedStatePrefix } from './shared-state.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

/** A sandbox of this process. */
export interface Held {
  readonly sandbox: Sandbox;
  /** `null` where nothing outlives the process. */
  readonly writer: SnapshotWriter | null;
}

/** What answering together stands on. */
export interface SharedParts {
  readonly store: JournalStore;
  /** Digest of the machines that fold. */
  readonly digest: string;
  /** The sandboxes that this process knows, by id. */
  readonly held: Map<string, Held>;
  /** Opens a sandbox from the store and holds it. */
  open(id: string): Promise<void>;
  /** Takes up which files a sandbox needs, by the names of kept values. */
  claim(id: string, names: Iterable<string>): void;
  /** Forgets the files of a sandbox that is gone. */
  release(id: string): Promise<void>;
  /** Hears where the processes of the store answer. */
  addressed(urls: readonly string[]): void;
}

/** Keeps the sandboxes of this process in step with those of the others that share the store. */
export class InstanceCoordinator {
  readonly leases: LeaseManager;
  readonly #sharing: StoreSharing;
  readonly #parts: SharedParts;

  /** Takes how the processes agree, and the sandboxes of this one. */
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
        this.#hearAddresses().catch(() => undefined);
      },
    });
  }

  /** Says where this process answers; hears where the others do. Throws `store-unavailable`. */
  async answerAt(baseUrl: string): Promise<void> {
    await this.#sharing.answerAt(baseUrl);
    await this.#hearAddresses();
  }

  async #hearAddresses(): Promise<void> {
    this.#parts.addressed(await this.#sharing.addresses());
  }

  /** Opens a sandbox that was taken, or brings it up to date with what others have written. */
  async #takeUp(id: string, { place, isKnown, changes, foldedSeq }: TakenSandbox): Promise<void> {
    const { held, store, digest, claim, open } = this.#parts;
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
    // They go with what is pending; anyone who gives the lease back waits for all of it.
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
  return new NudgeLabError('sandbox-not-found', { message: `Sandbox ${id} was removed.` });
}
