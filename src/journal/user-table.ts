import type { SyntheticUsers } from './synthetic-users.ts';
import type { UserRecord } from './user-record.ts';

/** Users who are alike: the record of one of them, and how many there are. */
export interface AlikeUsers {
  readonly user: UserRecord;
  readonly count: number;
}

/**
 * Users of a sandbox by id: synthetic ones, which are computed when they are needed, and stored ones. A synthetic user
 * who changes becomes a stored one. Users are in order of creation, the synthetic ones first.
 */
export class UserTable {
  /** Description of the synthetic users, or `null` if there are none. */
  readonly synthetic: SyntheticUsers | null;
  readonly #stored = new Map<string, UserRecord>();
  /** Ids of stored users by user principal name in lower case. */
  readonly #idsByName = new Map<string, string>();
  /** Numbers of the synthetic users who are stored or removed. */
  readonly #replaced = new Set<number>();

  /** Creates a table without stored users. */
  constructor(synthetic: SyntheticUsers | null = null) {
    this.synthetic = synthetic;
  }

  /** Number of users. */
  get size(): number {
    return this.#stored.size + (this.synthetic === null ? 0 : this.synthetic.count - this.#replaced.size);
  }

  /** Numbers of the synthetic users who are stored or removed, in ascending order. */
  get replaced(): Uint32Array {
    return Uint32Array.from(this.#replaced).sort();
  }

  /** Returns a user to read. To change a user, use `edit`: the record of a synthetic user is a new one at each call. */
  get(id: string): UserRecord | undefined {
    const stored = this.#stored.get(id);
    if (stored !== undefined || this.synthetic === null) return stored;
    const index = this.#findUnchanged(id);
    return index === -1 ? undefined : this.synthetic.recordAt(index);
  }

  /** Returns a user to change. A synthetic user is stored from then on. */
  edit(id: string): UserRecord | undefined {
    const user = this.get(id);
    if (user !== undefined && !this.#stored.has(id)) this.add(user);
    return user;
  }

  /** Returns `true` if a user exists. */
  has(id: string): boolean {
    return this.#stored.has(id) || this.#findUnchanged(id) !== -1;
  }

  /** Returns the id of the user with a user principal name in lower case. */
  findId(name: string): string | undefined {
    const id = this.#idsByName.get(name);
    if (id !== undefined || this.synthetic === null) return id;
    const index = this.synthetic.findNamed(name);
    return index === -1 || this.#replaced.has(index) ? undefined : this.synthetic.idAt(index);
  }

  /** Stores a user who does not exist yet. */
  add(user: UserRecord): void {
    const { id } = user.facts;
    const index = this.synthetic?.findIndex(id) ?? -1;
    if (index !== -1) this.#replaced.add(index);
    this.#stored.set(id, user);
    this.#idsByName.set(toNameKey(user), id);
  }

  /** Replaces the profile of a stored user, whose name can change. */
  setProfile(user: UserRecord, profile: UserRecord['profile']): void {
    this.#idsByName.delete(toNameKey(user));
    user.profile = profile;
    this.#idsByName.set(toNameKey(user), user.facts.id);
  }

  /** Removes a user. */
  delete(id: string): void {
    const stored = this.#stored.get(id);
    const index = this.synthetic?.findIndex(id) ?? -1;
    if (index !== -1) this.#replaced.add(index);
    if (stored !== undefined) this.#idsByName.delete(toNameKey(stored));
    this.#stored.delete(id);
  }

  /** Returns the stored users, in the order in which they were stored. */
  stored(): MapIterator<UserRecord> {
    return this.#stored.values();
  }

  /** Returns all users in order of creation: a stored one, or the number of an unchanged synthetic one. */
  *places(): Generator<UserRecord | number, void> {
    const { synthetic } = this;
    for (let index = 0; index < (synthetic?.count ?? 0); index += 1) {
      if (!this.#replaced.has(index)) yield index;
      else {
        const user = this.#stored.get(synthetic?.idAt(index) ?? '');
        if (user !== undefined) yield user;
      }
    }
    for (const [id, user] of this.#stored) if (synthetic === null || synthetic.findIndex(id) === -1) yield user;
  }

  /** Returns all users in order of creation, from a position on. */
  *values(from = 0): Generator<UserRecord, void> {
    const { synthetic } = this;
    if (synthetic === null) {
      yield* this.#stored.values().drop(from);
      return;
    }
    let skipped = this.#replaced.size === 0 ? Math.min(from, synthetic.count) : 0;
    for (let index = skipped; index < synthetic.count; index += 1) {
      const isReplaced = this.#replaced.has(index);
      const user = isReplaced ? this.#stored.get(synthetic.idAt(index)) : null;
      if (user === undefined) continue;
      if (skipped < from) skipped += 1;
      else yield user ?? synthetic.recordAt(index);
    }
    for (const [id, user] of this.#stored) {
      if (synthetic.findIndex(id) !== -1) continue;
      if (skipped < from) skipped += 1;
      else yield user;
    }
  }

  /** Returns the ids of all users in order of creation. */
  *keys(): Generator<string, void> {
    for (const { facts } of this.values()) yield facts.id;
  }

  /** Returns all users by id, in order of creation. */
  *[Symbol.iterator](): Generator<[string, UserRecord], void> {
    for (const user of this.values()) yield [user.facts.id, user];
  }

  /**
   * Returns all users in groups that differ only in id and names: each stored user, and each type of synthetic ones,
   * whose record has an empty id.
   *
   * @param apart - ids of synthetic users who are returned one by one, because something depends on their ids
   */
  *alike(apart: Iterable<string> = []): Generator<AlikeUsers, void> {
    for (const user of this.#stored.values()) yield { user, count: 1 };
    const { synthetic } = this;
    if (synthetic === null) return;
    const counts = synthetic.types.map(({ count }) => count);
    const indexes = new Set(Array.from(apart, (id) => this.#findUnchanged(id)).filter((index) => index !== -1));
    for (const index of indexes) yield { user: synthetic.recordAt(index), count: 1 };
    for (const index of [...this.#replaced, ...indexes]) {
      const type = synthetic.typeAt(index);
      counts[type] = (counts[type] ?? 0) - 1;
    }
    for (const [type, count] of counts.entries()) {
      if (count > 0) yield { user: synthetic.typicalRecord(type), count };
    }
  }

  #findUnchanged(id: string): number {
    const index = this.synthetic?.findIndex(id) ?? -1;
    return index !== -1 && this.#replaced.has(index) ? -1 : index;
  }
}

function toNameKey({ profile }: UserRecord): string {
  return profile.userPrincipalName.toLowerCase();
}
