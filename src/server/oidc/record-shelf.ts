import type { AdapterPayload as Payload } from 'oidc-provider';
import { oidcRecordsMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** A record with the number of its writing, by which the oldest one is known after a restart too. */
interface Shelved {
  readonly number: number;
  readonly payload: Payload;
}

/** Names of records beside the journal begin so. */
const beginning = 'oidc/';

/**
 * What the provider of one sandbox has to remember: sessions, grants, codes, refresh tokens, waiting interactions, registered
 * clients. Read from memory and written through to the store, beside the journal; bounded for each kind.
 */
export class RecordShelf {
  readonly #sandbox: Sandbox;
  /** Records by kind and id, oldest first. */
  readonly #kinds = new Map<string, Map<string, Shelved>>();
  readonly #sessionIds = new Map<string, string>();
  #written = 0;

  /** Takes up what the store has kept of a sandbox. Throws `store-corrupt`. */
  static async open(sandbox: Sandbox): Promise<RecordShelf> {
    const shelf = new RecordShelf(sandbox);
    const { store } = sandbox.recorder;
    const kept = [...(await store.keptUnder(sandbox.id, beginning))].map(
      ([name, text]) => [name.slice(beginning.length), JSON.parse(text) as Shelved] as const,
    );
    for (const [name, record] of kept.toSorted(([, a], [, b]) => a.number - b.number)) {
      const slash = name.indexOf('/');
      shelf.#place(name.slice(0, slash), name.slice(slash + 1), record);
    }
    return shelf;
  }

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** A record, `undefined` when there is none. */
  find(kind: string, id: string): Payload | undefined {
    return this.#kinds.get(kind)?.get(id)?.payload;
  }

  /** The session of a uid, which interactions and tokens name it by. */
  sessionOf(uid: string): Payload | undefined {
    const id = this.#sessionIds.get(uid);
    return id === undefined ? undefined : this.find('Session', id);
  }

  /** How many records of a kind there are. */
  count(kind: string): number {
    return this.#kinds.get(kind)?.size ?? 0;
  }

  /** Puts a record; at the limit of its kind the oldest one goes. Resolves when the store has it. */
  async put(kind: string, id: string, payload: Payload): Promise<void> {
    const record = { number: this.#written + 1, payload };
    const gone = this.#place(kind, id, record);
    const { store } = this.#sandbox.recorder;
    const kept = store.keep(this.#sandbox.id, nameOf(kind, id), JSON.stringify(record));
    await (gone === null ? kept : Promise.all([kept, this.remove(kind, gone)]));
  }

  /** Removes a record; one that is not there is no fault. Resolves when it is gone for good. */
  async remove(kind: string, id: string): Promise<void> {
    const payload = this.find(kind, id);
    if (payload === undefined) return;
    this.#kinds.get(kind)?.delete(id);
    if (payload.uid !== undefined && this.#sessionIds.get(payload.uid) === id) this.#sessionIds.delete(payload.uid);
    await this.#sandbox.recorder.store.discard(this.#sandbox.id, nameOf(kind, id));
  }

  /** Removes all records of a kind that stand on a grant. */
  async removeOfGrant(kind: string, grantId: string): Promise<void> {
    const ids = [...(this.#kinds.get(kind) ?? [])].filter(([, { payload }]) => payload.grantId === grantId);
    await Promise.all(ids.map(([id]) => this.remove(kind, id)));
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
    return records.size > oidcRecordsMax ? (records.keys().next().value ?? null) : null;
  }
}

function nameOf(kind: string, id: string): string {
  return `${beginning}${kind}/${id}`;
}
