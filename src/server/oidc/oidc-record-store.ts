import type { AdapterPayload as Payload } from 'oidc-provider';
import { clientsMax, oidcRecordsMax } from '../../core/limits.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** A record with the number of its writing, by which the oldest one is known after a restart too. */
interface Shelved {
  readonly number: number;
  /** The place in the journal at which it was written. */
  readonly seq: number;
  readonly payload: Payload;
}

/** Kinds that a sandbox keeps when it is restored: an application that registered itself continues to work. A reset clears them. */
const keptKinds: readonly string[] = ['Client', 'RegistrationAccessToken'];

/** Names of records beside the journal begin so. */
const beginning = 'oidc/';

/**
 * What the provider of one sandbox has to remember: sessions, grants, codes, refresh tokens, waiting interactions, registered
 * clients. Read from memory and written through to the store, beside the journal; bounded for each kind. When the sandbox goes
 * back to an earlier state, what was remembered until then is forgotten: there were no such sessions. Clients stay unless it
 * goes back to its beginning.
 */
export class OidcRecordStore {
  readonly #sandbox: Sandbox;
  /** Records by kind and id, oldest first. */
  readonly #kinds = new Map<string, Map<string, Shelved>>();
  readonly #sessionIds = new Map<string, string>();
  #written = 0;
  /** The state on which the records stand; going back puts another one in its place. */
  #state: SandboxState;
  #resets: number;

  /** Takes up what the store has kept of a sandbox. Throws `store-corrupt`. */
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

  /** Takes up what another process has put and removed since, by the names of kept values. */
  follow(kept: ReadonlyMap<string, string | null>): void {
    for (const [name, text] of kept) {
      if (!name.startsWith(beginning)) continue;
      const slash = name.indexOf('/', beginning.length);
      const [kind, id] = [name.slice(beginning.length, slash), name.slice(slash + 1)];
      if (text === null) this.#forget(kind, id);
      else this.#place(kind, id, JSON.parse(text) as Shelved);
    }
  }

  /** A record, `undefined` when there is none. */
  find(kind: string, id: string): Payload | undefined {
    this.#forgetWhatWasUndone();
    return this.#kinds.get(kind)?.get(id)?.payload;
  }

  /** The session of a uid, which interactions and tokens name it by. */
  sessionOf(uid: string): Payload | undefined {
    const id = this.#sessionIds.get(uid);
    return id === undefined ? undefined : this.find('Session', id);
  }

  /** All records of a kind. */
  payloads(kind: string): readonly Payload[] {
    return Array.from(this.#kinds.get(kind)?.values() ?? [], ({ payload }) => payload);
  }

  /** How many records of a kind there are. */
  count(kind: string): number {
    this.#forgetWhatWasUndone();
    return this.#kinds.get(kind)?.size ?? 0;
  }

  /** Puts a record; at the limit of its kind the oldest one goes. Resolves when the store has it. */
  async put(kind: string, id: string, payload: Payload): Promise<void> {
    this.#forgetWhatWasUndone();
    const record = { number: this.#written + 1, seq: this.#state.lastSeq, payload };
    const gone = this.#place(kind, id, record);
    const { store } = this.#sandbox.recorder;
    const kept = store.keep(this.#sandbox.id, nameOf(kind, id), JSON.stringify(record));
    await (gone === null ? kept : Promise.all([kept, this.remove(kind, gone)]));
  }

  /** Removes a record; one that is not there is no fault. Resolves when it is gone for good. */
  async remove(kind: string, id: string): Promise<void> {
    const payload = this.find(kind, id);
    if (payload === undefined) return;
    this.#forget(kind, id);
    await this.#sandbox.recorder.store.discard(this.#sandbox.id, nameOf(kind, id));
  }

  /** Removes all records of a kind that stand on a grant. */
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
    // A store that failed tells anyone who writes to it next.
    for (const [kind, records] of undone) {
      for (const id of [...records.keys()]) this.remove(kind, id).catch(() => undefined);
    }
  }

  /** Returns the id of the record that has to make room, `null` when there is room. */
  #place(kind: string, id: string, record: Shelved): string | null {
    let records = this.#kinds.get(kind);
    if (records === undefined) {
      records = new Map();
      this.#kinds.set(kind, records);
    }
    this.#written = Math.max(this.#written, record.number);
    records.delete(id);
    records.set(id, record);
    if (kind === 'Session' && record.payload.uid !== undefined) this.#sessionIds.set(record.payload.uid, id);
    return records.size > (keptKinds.includes(kind) ? clientsMax : oidcRecordsMax)
      ? (records.keys().next().value ?? null)
      : null;
  }
}

function nameOf(kind: string, id: string): string {
  return `${beginning}${kind}/${id}`;
}
