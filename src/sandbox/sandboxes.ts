import { defaultSandboxId } from '../core/default-sandbox.ts';
import { NudgeLabError } from '../core/errors.ts';
import { sandboxesMax, snapshotIntervalEntries } from '../core/limits.ts';
import type { AnnouncedAddress, ServedAddress } from '../core/served-address.ts';
import { DocumentFileStore } from '../documents/document-file-store.ts';
import { begin } from '../journal/apply-event.ts';
import { computeModelDigest } from '../journal/model-digest.ts';
import type { StoreSharing } from '../journal/sharing.ts';
import { captureState, deserializeState, isOfLoadedRuleset, serializeState } from '../journal/snapshot.ts';
import type { JournalStore } from '../journal/store.ts';
import { stateAt } from '../journal/stored-state.ts';
import { claimName } from './documents/document-service.ts';
import { type Held, InstanceCoordinator } from './instance-coordinator.ts';
import type { Visit } from './lease-manager.ts';
import { Recorder } from './recorder.ts';
import { Sandbox, type SandboxPlan } from './sandbox.ts';
import { sharedStatePrefix } from './shared-state.ts';
import { SnapshotNames } from './snapshot-names.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

/** Returns the base URL of a sandbox: the server URL for the default sandbox, or `/s/{id}` below it for others. */
export function getBaseUrl(serverUrl: string, sandboxId: string): string {
  return sandboxId === defaultSandboxId ? serverUrl : `${serverUrl}/s/${sandboxId}`;
}

/** Pattern for sandbox ids, which appear in paths and in cookie names. */
export const sandboxIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Number of sandboxes whose snapshots are stored concurrently when the store is closed. */
const closingAtOnce = 16;

interface SandboxesOptions {
  /** Number of entries between two stored snapshots of a durable sandbox. */
  readonly snapshotIntervalEntries?: number;
  /** Loads what the journals of a shared store can name, such as rulesets, before one of them is opened. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Manages all sandboxes of one store: creates, finds, copies, restores and removes them. Sandboxes share only the
 * process.
 */
export class Sandboxes {
  readonly #store: JournalStore;
  readonly #digest: string;
  readonly #intervalEntries: number;
  readonly #prepare: () => Promise<void>;
  readonly #held = new Map<string, Held>();
  #revision = 0;
  /** Ids of sandboxes that are being created or removed. */
  readonly #reserved = new Set<string>();
  #made = 0;
  /** Store of document files, shared by all sandboxes. */
  readonly #fileStore: DocumentFileStore;
  /** Base URL of the server for these sandboxes, or `null` if none runs. */
  #baseUrl: string | null = null;
  #addresses: readonly ServedAddress[] = [];
  /** Addresses of all processes that share the store. */
  #announced: readonly AnnouncedAddress[] = [];
  readonly #snapshotNames = new SnapshotNames();
  /** Coordinator for a store that several processes share, or `null` if this process has its own store. */
  readonly #sharing: InstanceCoordinator | null;

  /**
   * Opens every sandbox in a store. A sandbox starts from its newest stored snapshot and replays the rest of its
   * journal, with its clock running or frozen as before. If several processes share the store, each sandbox is opened
   * when it is first entered. Throws `store-corrupt` and the errors of the store.
   */
  static async open(store: JournalStore, options: SandboxesOptions = {}): Promise<Sandboxes> {
    const sandboxes = new Sandboxes(store, options);
    if (store.sharing !== undefined) return sandboxes;
    for (const id of await store.sandboxIds()) await sandboxes.#open(id);
    sandboxes.#fileStore.sweep();
    return sandboxes;
  }

  private constructor(store: JournalStore, options: SandboxesOptions) {
    this.#store = store;
    // Data that is not durable was always written by the state machines of this process.
    this.#digest = store.durable ? computeModelDigest() : 'this-process';
    this.#fileStore = new DocumentFileStore(store.filesFolder ?? null, store.files ?? null);
    this.#prepare = options.prepare ?? (async () => undefined);
    this.#intervalEntries = options.snapshotIntervalEntries ?? snapshotIntervalEntries;
    this.#sharing = store.sharing === undefined ? null : this.#share(store.sharing);
  }

  /** Coordinator of the processes that share these sandboxes, or `null` if this process has its own store. */
  get coordinator(): InstanceCoordinator | null {
    return this.#sharing;
  }

  /** Returns true if several processes share these sandboxes, so each must be entered before use. */
  get shared(): boolean {
    return this.#sharing !== null;
  }

  /** Returns one sandbox. In a shared store, it must have been entered. Throws `sandbox-not-found`. */
  get(id: string): Sandbox {
    return this.#getOpen(id).sandbox;
  }

  /**
   * Enters a sandbox. Until the returned admission ends, no other process writes to the sandbox, and it includes all
   * acknowledged changes. Throws `sandbox-not-found`, `store-unavailable` or `store-corrupt`.
   */
  async enter(id: string): Promise<Visit> {
    if (this.#sharing !== null) return this.#sharing.leases.enter(id);
    this.#getOpen(id);
    return { sandboxId: id, leave: () => undefined };
  }

  /** Enters a sandbox, runs a function with it, and leaves it. Throws the errors of `enter` and of the function. */
  async within<T>(id: string, use: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
    const { leave } = await this.enter(id);
    try {
      return await use(this.get(id));
    } finally {
      leave();
    }
  }

  /**
   * Sets the base URL of the server without a trailing slash, and those of sandboxes with a port of their own. Tokens of
   * the sandboxes name them as their issuers. From then on, other processes of the store accept those tokens: each reads
   * new URLs at the latest when it acquires the lease of a sandbox.
   */
  async servedAt(baseUrl: string, addresses: readonly ServedAddress[] = []): Promise<void> {
    this.#baseUrl = baseUrl;
    this.#addresses = addresses;
    await this.#sharing?.answerAt([{ sandboxId: null, baseUrl }, ...addresses]);
    for (const { sandbox } of this.#held.values()) this.#issue(sandbox);
  }

  /** Returns a number that changes when a sandbox of this process is added or removed. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Returns texts by sandbox, in order of creation, that change with every entry of the journal and with its
   * replacement. Only for a shared store. Throws `store-unavailable`.
   */
  async versions(): Promise<ReadonlyMap<string, string>> {
    return (await this.#store.sharing?.versions()) ?? new Map();
  }

  /** Returns true if a sandbox with this id exists or, in a shared store, was entered. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Returns the ids of all sandboxes in order of creation. Throws `store-unavailable`. */
  async ids(): Promise<readonly string[]> {
    return this.#sharing === null ? [...this.#held.keys()] : this.#store.sandboxIds();
  }

  /** Returns true if the store contains a sandbox with this id. Throws `store-unavailable`. */
  async exists(id: string): Promise<boolean> {
    return this.#store.sharing === undefined ? this.has(id) : this.#store.sharing.has(id);
  }

  /**
   * Subscribes to writes of other processes to a sandbox. Returns a function that unsubscribes. Throws
   * `store-unavailable`.
   */
  async follow(id: string): Promise<() => void> {
    return (await this.#store.sharing?.follow(id)) ?? (() => undefined);
  }

  /** Returns all sandboxes in order of creation. In a shared store, only entered ones are included. */
  list(): readonly Sandbox[] {
    return Array.from(this.#held.values(), ({ sandbox }) => sandbox);
  }

  /**
   * Creates a sandbox from a validated plan and assigns an id if none is given. Resolves when the store has it.
   * Throws `bad-request` for an id that is not valid in a path, `sandbox-exists`, `too-many-sandboxes` or
   * `store-failed`.
   */
  async create(id: string | undefined, plan: SandboxPlan): Promise<Sandbox> {
    return this.#make(id, async (newId) => {
      await this.#store.sharing?.reserve(newId);
      return Sandbox.create(newId, plan, this.#store);
    });
  }

  /** Removes a sandbox with its journal and all stored data, so its id can be reused. Throws `sandbox-not-found`. */
  async remove(id: string): Promise<void> {
    const { sandbox } = this.#getOpen(id);
    this.#held.delete(id);
    this.#revision += 1;
    this.#reserved.add(id);
    sandbox.recorder.stop();
    try {
      await this.#store.remove(id);
      this.#sharing?.leases.forget(id);
      const digests = this.#fileStore.claimedBy(id);
      await this.#fileStore.release(id);
      await this.#store.files?.discardUnclaimed(digests, claimName);
    } finally {
      this.#reserved.delete(id);
    }
  }

  /**
   * Creates a copy of a sandbox in its current state, with its whole journal, the same sequence numbers and its named
   * snapshots. Tokens of one sandbox are not valid in the other. Throws `sandbox-not-found` and the errors of
   * `create`.
   */
  async fork(id: string, newId?: string): Promise<Sandbox> {
    const { sandbox } = this.#getOpen(id);
    return this.#make(newId, async (forkId) => {
      const state = sandbox.recorder.state();
      const { lastSeq } = state;
      const text = serializeState(state);
      await this.#store.fork(id, forkId, lastSeq);
      for (const digest of this.#fileStore.claimedBy(id)) {
        this.#fileStore.claim(digest, forkId);
        if (this.#store.durable) await this.#store.keep(forkId, `${claimName}${digest}`, '');
      }
      return new Sandbox(new Recorder(forkId, this.#store, deserializeState(text)));
    });
  }

  /**
   * Creates a named snapshot of the current state and virtual time. The default name is `seq-N`, and an existing name
   * is moved to this state. Resolves when the store has it. Throws `sandbox-not-found`, or `bad-request` for an
   * invalid name or too many snapshots.
   */
  async snapshot(id: string, name?: string): Promise<{ readonly name: string; readonly seq: number }> {
    const { sandbox } = this.#getOpen(id);
    const state = sandbox.recorder.state();
    const { lastSeq: seq, lastAtMs: atMs } = state;
    const chosen = name ?? `seq-${seq}`;
    const serialize = captureState(state);
    await this.#snapshotNames.reserve(sandbox, chosen, this.#store.snapshots(id), async () => {
      const text = await serialize();
      await this.#store.saveSnapshot(id, { name: chosen, seq, atMs, digest: this.#digest, state: text });
    });
    return { name: chosen, seq };
  }

  /**
   * Restores a snapshot: its state, and a clock that continues from its time. The restore is a further entry of the
   * journal, and no entry is removed. Throws `sandbox-not-found`, `snapshot-not-found`, `journal-full` or
   * `store-failed`.
   */
  async restore(id: string, name: string): Promise<Sandbox> {
    const { sandbox } = this.#getOpen(id);
    const stored = name === '' ? null : await this.#store.snapshot(id, name);
    if (stored === null) {
      throw new NudgeLabError('snapshot-not-found', { message: `Sandbox ${id} has no snapshot "${name}".` });
    }
    const state =
      stored.digest === this.#digest && isOfLoadedRuleset(stored.state)
        ? deserializeState(stored.state)
        : await stateAt(this.#store, id, stored.seq, this.#digest);
    await sandbox.recorder.restore(state, stored.atMs);
    return sandbox;
  }

  /** Resets a sandbox to its initial state and initial clock. Throws the errors of `restore`. */
  async reset(id: string): Promise<Sandbox> {
    const { sandbox } = this.#getOpen(id);
    const [first] = await this.#store.entries(id, { after: 0, limit: 1 });
    if (first === undefined) throw new NudgeLabError('store-corrupt', { message: `Sandbox ${id} has no entries.` });
    await sandbox.recorder.restore(begin(first), first.atMs);
    return sandbox;
  }

  /**
   * Resolves when the store has everything written so far. Throws `store-failed` if a write failed, or
   * `store-unavailable` if the database cannot be reached.
   */
  async refuseFailedStore(): Promise<void> {
    this.#store.sharing?.refuseAway();
    await this.#store.flushed();
  }

  /** Stores a snapshot of every sandbox if the store is durable, and closes the store. */
  async close(): Promise<void> {
    const writers = Array.from(this.#held.values(), ({ writer }) => writer);
    for (let index = 0; index < writers.length; index += closingAtOnce) {
      await Promise.all(writers.slice(index, index + closingAtOnce).map((writer) => writer?.finish()));
    }
    await this.#sharing?.leases.giveAllBack();
    this.#fileStore.close();
    await this.#store.close();
  }

  #getOpen(id: string): Held {
    const openSandbox = this.#held.get(id);
    if (openSandbox === undefined)
      throw new NudgeLabError('sandbox-not-found', { message: `Sandbox "${id}" does not exist.` });
    return openSandbox;
  }

  async #open(id: string): Promise<void> {
    if (this.shared) await this.#prepare();
    const seq = await this.#store.lastSeq(id);
    const state = await stateAt(this.#store, id, seq, this.#digest);
    this.#claim(id, (await this.#store.keptUnder(id, claimName)).keys());
    const recorder = new Recorder(id, this.#store, state);
    if (this.#sharing !== null) recorder.carried.take(await this.#store.keptUnder(id, sharedStatePrefix));
    await this.#hold(new Sandbox(recorder));
  }

  #claim(id: string, names: Iterable<string>): void {
    for (const name of names) if (name.startsWith(claimName)) this.#fileStore.claim(name.slice(claimName.length), id);
  }

  /** Sets up the coordination with other processes that share the store. */
  #share(sharing: StoreSharing): InstanceCoordinator {
    return new InstanceCoordinator(sharing, {
      store: this.#store,
      digest: this.#digest,
      held: this.#held,
      open: (id) => this.#open(id),
      claim: (id, names) => this.#claim(id, names),
      release: (id) => this.#fileStore.release(id),
      addressed: (addresses) => {
        this.#announced = addresses;
        for (const { sandbox } of this.#held.values()) this.#issue(sandbox);
      },
    });
  }

  /** Reserves an id while its sandbox is being created, so two requests never create the same one. */
  async #make(id: string | undefined, make: (id: string) => Promise<Sandbox>): Promise<Sandbox> {
    const taken = this.#sharing === null ? 0 : (await this.#store.sandboxIds()).length;
    for (;;) {
      const chosen = id ?? this.#freeId();
      this.#refuseId(chosen, taken);
      this.#reserved.add(chosen);
      try {
        const sandbox = await make(chosen);
        await this.#hold(sandbox);
        this.#sharing?.leases.adopt(chosen).leave();
        return sandbox;
      } catch (error) {
        // Another process has created a sandbox with the next free id.
        if (id === undefined && error instanceof NudgeLabError && error.code === 'sandbox-exists') continue;
        throw error;
      } finally {
        this.#reserved.delete(chosen);
      }
    }
  }

  #issue({ id, tokens }: Sandbox): void {
    if (this.#baseUrl === null) return;
    tokens.issueAs(getBaseUrl(this.#baseUrl, id), [
      ...[...this.#announced, ...this.#addresses].flatMap(({ sandboxId, baseUrl }) => {
        if (sandboxId === null) return [getBaseUrl(baseUrl, id)];
        return sandboxId === id ? [baseUrl] : [];
      }),
    ]);
  }

  async #hold(sandbox: Sandbox): Promise<void> {
    this.#issue(sandbox);
    sandbox.documents.useFileStore(this.#fileStore);
    const { recorder } = sandbox;
    const storedSeq = this.#store.durable ? await this.#storedSeq(sandbox.id) : 0;
    const options = { digest: this.#digest, intervalEntries: this.#intervalEntries, storedSeq };
    this.#revision += 1;
    this.#held.set(sandbox.id, { sandbox, writer: this.#store.durable ? new SnapshotWriter(recorder, options) : null });
  }

  /** Returns the sequence number of the newest snapshot that this process can use, or 0 if there is none. */
  async #storedSeq(id: string): Promise<number> {
    const places = await this.#store.snapshots(id);
    return places.find(({ name, digest }) => name === '' && digest === this.#digest)?.seq ?? 0;
  }

  #refuseId(id: string, taken: number): void {
    if (!sandboxIdPattern.test(id)) {
      const message = `"${id}" must be 1 to 63 lower-case letters, digits and hyphens, and must not start with a hyphen`;
      throw new NudgeLabError('bad-request', { problems: [{ location: 'id', message }] });
    }
    if (this.#held.has(id) || this.#reserved.has(id)) {
      throw new NudgeLabError('sandbox-exists', { message: `Sandbox "${id}" already exists.` });
    }
    if (Math.max(this.#held.size, taken) + this.#reserved.size >= sandboxesMax) {
      throw new NudgeLabError('too-many-sandboxes', {
        message: `The server already has ${sandboxesMax} sandboxes, the maximum.`,
      });
    }
  }

  #freeId(): string {
    let id: string;
    do {
      this.#made += 1;
      id = `sandbox-${this.#made}`;
    } while (this.#held.has(id) || this.#reserved.has(id));
    return id;
  }
}
