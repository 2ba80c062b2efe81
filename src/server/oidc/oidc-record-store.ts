import type { AdapterPayload as Payload } from 'oidc-provider';
import { clientsMax, oidcRecordsMax } from '../../core/limits.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Stored record with its write number, which identifies the oldest record even after a restart. */
interface Shelved {
  readonly number: number;
  /** Sequence number of the journal at the time of writing. */
  readonly seq: number;
  readonly payload: Payload;
}

/** Kinds that survive a restore, so dynamically registered clients continue to work. A reset deletes them. */
const keptKinds: readonly string[] = ['Client', 'RegistrationAccessToken'];

/** Key prefix of provider records in the store. */
const beginning = 'oidc/';

/**
 * Stores the records of a sandbox's provider: sessions, grants, codes, refresh tokens, pending interactions, and
 * registered clients. Records are read from memory, written through to the store, and limited in number for each kind.
 * Restoring an earlier state deletes them, because these sessions did not exist then. Clients are kept unless the
 * sandbox is reset.
 */
export class OidcRecordStore {
  readonly #sandbox: Sandbox;
  /** Records by kind and id, oldest first. */
  readonly #kinds = new Map<string, Map<string, Shelved>>();
  readonly #sessionIds = new Map<string, string>();
  #written = 0;
  /** State that the records belong to. A reset or restore replaces it. */
  #state: SandboxState;
  #resets: number;

  /** Loads the stored records of a sandbox. Throws `store-corrupt` if they are invalid. */
  static async open(sandbox: Sandbox): Promise<OidcRecordStore> {
    const records = new OidcRecordStore(sandbox);
    const { store } = sandbox.recorder;
    const kept = [...(await store.keptUnder(sandbox.id, beginning))].map(
      ([name, text]) => [name.slice(beginning.length), JSON.parse(text) as Shelved] as const,
    );
    const { anySeq, resetSeq } = await sandbox.recorder.latestRestores();
    for (const [name, record] of kept.toSorted(([, a], [, b]) => a.number - b.number)) {
      const slash = name.indexOf('/');
      const kind = name.slice(0, slash);
      if (record.seq >= (keptKinds.includes(kind) ? resetSeq : anySeq))
        records.#place(kind, name.slice(slash + 1), record);
      else await store.discard(sandbox.id, `${beginning}${name}`);
    }
    return records;
  }

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#state = sandbox.recorder.state();
    this.#resets = sandbox.recorder.resets;
  }

  /** Applies the records that another process has stored and deleted, by their keys. */
  follow(kept: ReadonlyMap<string, string | null>): void {
    for (const [name, text] of kept) {
      if (!name.startsWith(beginning)) continue;
      const slash = name.indexOf('/', beginning.length);
      const [kind, id] = [name.slice(beginning.length, slash), name.slice(slash + 1)];
      if (text === null) this.#forget(kind, id);
      else this.#place(kind, id, JSON.parse(text) as Shelved);
    }
  }

  /** Finds a record. Returns `undefined` if it does not exist. */
  find(kind: string, id: string): Payload | undefined {
    this.#forgetWhatWasUndone();
    return this.#kinds.get(kind)?.get(id)?.payload;
  }

  /** Finds the session with a uid, which interactions and tokens refer to. */
  findSession(uid: string): Payload | undefined {
    const id = this.#sessionIds.get(uid);
    return id === undefined ? undefined : this.find('Session', id);
  }

  /** Returns all records of a kind, oldest first. */
  payloads(kind: string): readonly Payload[] {
    this.#forgetWhatWasUndone();
    return Array.from(this.#kinds.get(kind)?.values() ?? [], ({ payload }) => payload);
  }

  /** Returns the ids of all records of a kind, oldest first. */
  ids(kind: string): readonly string[] {
    this.#forgetWhatWasUndone();
    return [...(this.#kinds.get(kind)?.keys() ?? [])];
  }

  /** Returns the number of records of a kind. */
  count(kind: string): number {
    this.#forgetWhatWasUndone();
    return this.#kinds.get(kind)?.size ?? 0;
  }

  /**
   * Saves a record and deletes the oldest one if the limit of its kind is reached. Resolves when the store has saved
   * it.
   *
   * @param max - limit of the kind
   */
  async put(kind: string, id: string, payload: Payload, max = getLimit(kind)): Promise<void> {
    this.#forgetWhatWasUndone();
    const record = { number: this.#written + 1, seq: this.#state.lastSeq, payload };
    this.#place(kind, id, record);
    const records = this.#kinds.get(kind);
    const gone = records !== undefined && records.size > max ? (records.keys().next().value ?? null) : null;
    const { store } = this.#sandbox.recorder;
    const kept = store.keep(this.#sandbox.id, formatName(kind, id), JSON.stringify(record));
    await (gone === null ? kept : Promise.all([kept, this.remove(kind, gone)]));
  }

  /** Replaces a record if it exists, which keeps its place. Resolves when the store has saved it. */
  async update(kind: string, id: string, payload: Payload): Promise<void> {
    this.#forgetWhatWasUndone();
    const known = this.#kinds.get(kind)?.get(id);
    if (known === undefined) return;
    const record = { ...known, payload };
    this.#place(kind, id, record);
    await this.#sandbox.recorder.store.keep(this.#sandbox.id, formatName(kind, id), JSON.stringify(record));
  }

  /** Deletes a record if it exists. Resolves when the store has deleted it. */
  async remove(kind: string, id: string): Promise<void> {
    const payload = this.find(kind, id);
    if (payload === undefined) return;
    this.#forget(kind, id);
    await this.#sandbox.recorder.store.discard(this.#sandbox.id, formatName(kind, id));
  }

  /** Deletes all records of a kind that belong to a grant. */
  async removeOfGrant(kind: string, grantId: string): Promise<void> {
    const ids = [...(this.#kinds.get(kind) ?? [])].filter(([, { payload }]) => payload.grantId === grantId);
    await Promise.all(ids.map(([id]) => this.remove(kind, id)));
  }

  #forget(kind: string, id: string): void {
    const records = this.#kinds.get(kind);
    const uid = records?.get(id)?.payload.uid;
    records?.delete(id);
    if (uid !== undefined && this.#sessionIds.get(uid) === id) this.#sessionIds.delete(uid);
  }

  #forgetWhatWasUndone(): void {
    const state = this.#sandbox.recorder.state();
    if (state === this.#state) return;
    this.#state = state;
    const { resets } = this.#sandbox.recorder;
    const undone = [...this.#kinds].filter(([kind]) => resets !== this.#resets || !keptKinds.includes(kind));
    this.#resets = resets;
    // If the store fails, the next write reports the error.
    for (const [kind, records] of undone) {
      for (const id of [...records.keys()]) this.remove(kind, id).catch(() => undefined);
    }
  }

  /** Adds a record after all others, or replaces the one with the same number. */
  #place(kind: string, id: string, record: Shelved): void {
    let records = this.#kinds.get(kind);
    if (records === undefined) {
      records = new Map();
      this.#kinds.set(kind, records);
    }
    this.#written = Math.max(this.#written, record.number);
    if (records.get(id)?.number !== record.number) records.delete(id);
    records.set(id, record);
    if (kind === 'Session' && record.payload.uid !== undefined) this.#sessionIds.set(record.payload.uid, id);
  }
}

/** Returns the maximum number of records of a kind. */
function getLimit(kind: string): number {
  return keptKinds.includes(kind) ? clientsMax : oidcRecordsMax;
}

function formatName(kind: string, id: string): string {
  return `${beginning}${kind}/${id}`;
}
