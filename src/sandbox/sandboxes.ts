import { defaultSandboxId } from '../core/default-sandbox.ts';
import { NudgeLabError } from '../core/errors.ts';
import { namedSnapshotsMax, sandboxesMax, snapshotIntervalEntries } from '../core/limits.ts';
import { DocumentFileStore } from '../documents/document-file-store.ts';
import { begin } from '../journal/apply-event.ts';
import { computeModelDigest } from '../journal/model-digest.ts';
import type { StoreSharing } from '../journal/sharing.ts';
import { deserializeState, serializeState, serializeStateGradually } from '../journal/snapshot.ts';
import type { JournalStore, SnapshotPlace } from '../journal/store.ts';
import { stateAt } from '../journal/stored-state.ts';
import { claimName } from './documents/document-service.ts';
import { type Held, InstanceCoordinator } from './instance-coordinator.ts';
import type { Visit } from './lease-manager.ts';
import { Recorder } from './recorder.ts';
import { Sandbox, type SandboxPlan } from './sandbox.ts';
import { sharedStatePrefix } from './shared-state.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

/** The base address of a sandbox: that of the server for the default one, `/s/{id}` below it for another. */
export function getBaseUrl(serverUrl: string, sandboxId: string): string {
  return sandboxId === defaultSandboxId ? serverUrl : `${serverUrl}/s/${sandboxId}`;
}

/** What an id of a sandbox looks like: it stands in paths and in the names of cookies. */
const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What a name of a snapshot looks like. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Sandboxes whose folds are stored at once when the store is closed. */
const closingAtOnce = 16;

interface SandboxesOptions {
  /** Entries between two stored folds of a durable sandbox. */
  readonly snapshotIntervalEntries?: number;
}

/** All sandboxes of one store: made, found, copied, taken back and removed. They share the process and nothing else. */
export class Sandboxes {
  readonly #store: JournalStore;
  readonly #digest: string;
  readonly #intervalEntries: number;
  readonly #held = new Map<string, Held>();
  /** Ids that are being made or removed. */
  readonly #reserved = new Set<string>();
  #made = 0;
  /** Files of documents, which all sandboxes of the store share. */
  readonly #fileStore: DocumentFileStore;
  /** Where a server answers for these sandboxes; `null` as long as none does. */
  #baseUrl: string | null = null;
  /** Where other processes of the store answer. */
  #otherUrls: readonly string[] = [];
  /** Lets requests in where several processes share the store; `null` where this one has it for itself. */
  readonly #sharing: InstanceCoordinator | null;

  /**
   * Opens every sandbox that a store holds: each goes on from its newest stored fold and folds the rest of its journal, its
   * clock running or standing as it did. Of a store that several processes share each is opened when it is first entered.
   * Throws `store-corrupt` and what the store throws.
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
    // What a process keeps to itself was folded by the very machines that it runs.
    this.#digest = store.durable ? computeModelDigest() : 'this-process';
    this.#fileStore = new DocumentFileStore(store.filesFolder ?? null, store.files ?? null);
    this.#intervalEntries = options.snapshotIntervalEntries ?? snapshotIntervalEntries;
    this.#sharing = store.sharing === undefined ? null : this.#share(store.sharing);
  }

  /** Whether several processes answer for these sandboxes, so that each has to be entered before it is asked for. */
  get shared(): boolean {
    return this.#sharing !== null;
  }

  /** One sandbox; where the store is shared one that was entered. Throws `sandbox-not-found`. */
  get(id: string): Sandbox {
    return this.#heldOf(id).sandbox;
  }

  /**
   * Enters a sandbox: until the stay ends no other process writes to it, and it shows all that was acknowledged anywhere.
   * Throws `sandbox-not-found`, `store-unavailable`, `store-corrupt`.
   */
  async enter(id: string): Promise<Visit> {
    if (this.#sharing !== null) return this.#sharing.leases.enter(id);
    this.#heldOf(id);
    return { sandboxId: id, leave: () => undefined };
  }

  /** Lets someone use a sandbox that is entered before and left after it. Throws what `enter` and the use throw. */
  async within<T>(id: string, use: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
    const { leave } = await this.enter(id);
    try {
      return await use(this.get(id));
    } finally {
      leave();
    }
  }

  /**
   * Says where a server answers for these sandboxes, without a slash at the end: their tokens name it as the issuer. Resolves
   * when other processes of the store know it, and accept those tokens.
   */
  async servedAt(baseUrl: string): Promise<void> {
    this.#baseUrl = baseUrl;
    await this.#sharing?.answerAt(baseUrl);
    for (const { sandbox } of this.#held.values()) this.#issue(sandbox);
  }

  /** Whether there is a sandbox of this id; where the store is shared, whether it was entered. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Ids of all sandboxes, in order of creation. Throws `store-unavailable`. */
  async ids(): Promise<readonly string[]> {
    return this.#sharing === null ? [...this.#held.keys()] : this.#store.sandboxIds();
  }

  /** Whether a store holds a sandbox of this id. Throws `store-unavailable`. */
  async exists(id: string): Promise<boolean> {
    return this.#store.sharing === undefined ? this.has(id) : this.#store.sharing.has(id);
  }

  /** Asks to hear of what other processes write to a sandbox, until what it returns is called. Throws `store-unavailable`. */
  async follow(id: string): Promise<() => void> {
    return (await this.#store.sharing?.follow(id)) ?? (() => undefined);
  }

  /** All sandboxes, in order of creation; where the store is shared, those that were entered. */
  list(): readonly Sandbox[] {
    return Array.from(this.#held.values(), ({ sandbox }) => sandbox);
  }

  /**
   * Makes a sandbox from a checked plan; without an id it gets one. Resolves when the store has it. Throws `bad-request` for
   * an id that cannot stand in a path, `sandbox-exists`, `too-many-sandboxes` and `store-failed`.
   */
  async create(id: string | undefined, plan: SandboxPlan): Promise<Sandbox> {
    return this.#make(id, async (newId) => {
      await this.#store.sharing?.reserve(newId);
      return Sandbox.create(newId, plan, this.#store);
    });
  }

  /** Removes a sandbox with its journal and all that is kept for it; its id is free then. Throws `sandbox-not-found`. */
  async remove(id: string): Promise<void> {
    const { sandbox } = this.#heldOf(id);
    this.#held.delete(id);
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
   * Makes a sandbox that begins where another one stands, with a copy of its whole journal, at the same places, and of its
   * named snapshots; tokens of the one are none of the other. Throws `sandbox-not-found` and what `create` throws.
   */
  async fork(id: string, newId?: string): Promise<Sandbox> {
    const { sandbox } = this.#heldOf(id);
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
   * Names the place in the journal at which a sandbox stands, with its virtual time, `seq-N` unless a name is given; a name
   * that is taken moves here. Resolves when the store has it. Throws `sandbox-not-found`, and `bad-request` for a name that is
   * none or one too many.
   */
  async snapshot(id: string, name?: string): Promise<{ readonly name: string; readonly seq: number }> {
    const { sandbox } = this.#heldOf(id);
    const state = sandbox.recorder.state();
    const { lastSeq: seq, lastAtMs: atMs } = state;
    const chosen = name ?? `seq-${seq}`;
    const text = serializeStateGradually(state);
    refuseName(chosen, await this.#store.snapshots(id));
    await this.#store.saveSnapshot(id, { name: chosen, seq, atMs, digest: this.#digest, state: await text });
    return { name: chosen, seq };
  }

  /**
   * Takes a sandbox back to a snapshot: the state of then, and a clock that shows the time of then and goes on from it. It is
   * one more entry of the journal; nothing is trimmed. Throws `sandbox-not-found`, `snapshot-not-found`, `journal-full`,
   * `store-failed`.
   */
  async restore(id: string, name: string): Promise<Sandbox> {
    const { sandbox } = this.#heldOf(id);
    const stored = name === '' ? null : await this.#store.snapshot(id, name);
    if (stored === null) {
      throw new NudgeLabError('snapshot-not-found', { message: `Sandbox ${id} has no snapshot "${name}".` });
    }
    const state =
      stored.digest === this.#digest
        ? deserializeState(stored.state)
        : await stateAt(this.#store, id, stored.seq, this.#digest);
    await sandbox.recorder.restore(state, stored.atMs);
    return sandbox;
  }

  /** Takes a sandbox back to its beginning, with the clock it began with. Throws as `restore` does. */
  async reset(id: string): Promise<Sandbox> {
    const { sandbox } = this.#heldOf(id);
    const [first] = await this.#store.entries(id, { after: 0, limit: 1 });
    if (first === undefined) throw new NudgeLabError('store-corrupt', { message: `Sandbox ${id} has no entries.` });
    await sandbox.recorder.restore(begin(first), first.atMs);
    return sandbox;
  }

  /**
   * Resolves when the store has all that was written so far. Throws `store-failed` once it could not write, `store-unavailable`
   * while its database is away.
   */
  async refuseFailedStore(): Promise<void> {
    this.#store.sharing?.refuseAway();
    await this.#store.flushed();
  }

  /** Stores the newest fold of every sandbox where the store is durable, and closes the store. */
  async close(): Promise<void> {
    const writers = Array.from(this.#held.values(), ({ writer }) => writer);
    for (let index = 0; index < writers.length; index += closingAtOnce) {
      await Promise.all(writers.slice(index, index + closingAtOnce).map((writer) => writer?.finish()));
    }
    await this.#sharing?.leases.giveAllBack();
    this.#fileStore.close();
    await this.#store.close();
  }

  #heldOf(id: string): Held {
    const held = this.#held.get(id);
    if (held === undefined) throw new NudgeLabError('sandbox-not-found', { message: `There is no sandbox "${id}".` });
    return held;
  }

  async #open(id: string): Promise<void> {
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

  /** Answers for these sandboxes together with other processes of the store. */
  #share(sharing: StoreSharing): InstanceCoordinator {
    return new InstanceCoordinator(sharing, {
      store: this.#store,
      digest: this.#digest,
      held: this.#held,
      open: (id) => this.#open(id),
      claim: (id, names) => this.#claim(id, names),
      release: (id) => this.#fileStore.release(id),
      addressed: (urls) => {
        this.#otherUrls = urls;
        for (const { sandbox } of this.#held.values()) this.#issue(sandbox);
      },
    });
  }

  /** Reserves an id while its sandbox is being made, so that two requests never make the same one. */
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
        // Another process has made one of the next free name.
        if (id === undefined && error instanceof NudgeLabError && error.code === 'sandbox-exists') continue;
        throw error;
      } finally {
        this.#reserved.delete(chosen);
      }
    }
  }

  #issue({ id, tokens }: Sandbox): void {
    if (this.#baseUrl === null) return;
    tokens.issueAs(
      getBaseUrl(this.#baseUrl, id),
      this.#otherUrls.map((url) => getBaseUrl(url, id)),
    );
  }

  async #hold(sandbox: Sandbox): Promise<void> {
    this.#issue(sandbox);
    sandbox.documents.useFileStore(this.#fileStore);
    const { recorder } = sandbox;
    const storedSeq = this.#store.durable ? await this.#storedSeq(sandbox.id) : 0;
    const options = { digest: this.#digest, intervalEntries: this.#intervalEntries, storedSeq };
    this.#held.set(sandbox.id, { sandbox, writer: this.#store.durable ? new SnapshotWriter(recorder, options) : null });
  }

  /** The place of the newest fold that this process can go on from; 0 when there is none. */
  async #storedSeq(id: string): Promise<number> {
    const places = await this.#store.snapshots(id);
    return places.find(({ name, digest }) => name === '' && digest === this.#digest)?.seq ?? 0;
  }

  #refuseId(id: string, taken: number): void {
    if (!idPattern.test(id)) {
      const message = `"${id}" is not 1 to 63 lower-case letters, digits and hyphens, the first no hyphen`;
      throw new NudgeLabError('bad-request', { problems: [{ place: 'id', message }] });
    }
    if (this.#held.has(id) || this.#reserved.has(id)) {
      throw new NudgeLabError('sandbox-exists', { message: `There is a sandbox "${id}" already.` });
    }
    if (Math.max(this.#held.size, taken) + this.#reserved.size >= sandboxesMax) {
      throw new NudgeLabError('too-many-sandboxes', {
        message: `There are ${sandboxesMax} sandboxes, as many as may be.`,
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

function refuseName(name: string, places: readonly SnapshotPlace[]): void {
  if (!namePattern.test(name)) {
    const message = `"${name}" is not 1 to 63 letters, digits, dots, hyphens and underscores, the first a letter or digit`;
    throw new NudgeLabError('bad-request', { problems: [{ place: 'name', message }] });
  }
  const named = places.filter((place) => place.name !== '');
  if (named.length >= namedSnapshotsMax && !named.some((place) => place.name === name)) {
    const message = `the sandbox keeps ${named.length} snapshots, as many as it may; use one of their names again`;
    throw new NudgeLabError('bad-request', { problems: [{ place: 'name', message }] });
  }
}
