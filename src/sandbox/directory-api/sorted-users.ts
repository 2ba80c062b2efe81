import type { SandboxState, UserRecord } from '../../journal/state.ts';
import type { SyntheticUsers } from '../../journal/synthetic-users.ts';
import { findFirst, pickRows, type RowSource } from './row-source.ts';
import type { WireIds } from './wire-ids.ts';

/** Names by which lists order users. Synthetic users are in the order of both. */
export type UserName = 'displayName' | 'userPrincipalName';

/** Position in an order: a name in lower case, then an id. */
export interface SortKey {
  readonly name: string;
  readonly id: string;
}

/** Stored user at its place in an order. A renamed user has another profile object. */
interface Entry extends SortKey {
  readonly user: UserRecord;
  readonly profile: UserRecord['profile'];
}

/**
 * Stored users in the order of a name. The order is kept from one state to the next, where only added and renamed users
 * are sorted.
 */
export class UserOrder {
  readonly #name: UserName;
  #entries: readonly Entry[] = [];
  #idForm: WireIds['form'] = 'facts';

  /** Creates the order by a name. */
  constructor(name: UserName) {
    this.#name = name;
  }

  /** Returns all users of a state in this order. Users with equal names are in the order of their ids on the wire. */
  list({ users }: Pick<SandboxState, 'users'>, wireIds: WireIds): SortedUsers {
    if (wireIds.form !== this.#idForm) this.#entries = [];
    this.#idForm = wireIds.form;
    const kept = this.#entries.filter(
      ({ user, profile }) => user.profile === profile && users.get(user.facts.id) === user,
    );
    const known = new Set(kept.map(({ user }) => user));
    const added: Entry[] = [];
    for (const user of users.stored()) if (!known.has(user)) added.push(this.#createEntry(user, wireIds));
    if (added.length > 0) this.#entries = merge(kept, added.sort(compareKeys));
    else if (kept.length < this.#entries.length) this.#entries = kept;
    return new SortedUsers(this.#entries, { name: this.#name, synthetic: users.synthetic, replaced: users.replaced });
  }

  #createEntry(user: UserRecord, wireIds: WireIds): Entry {
    const { profile, facts } = user;
    const id = wireIds.toWire('user', facts.id).toLowerCase();
    return { name: profile[this.#name].toLowerCase(), id, user, profile };
  }
}

interface SyntheticPart {
  readonly name: UserName;
  readonly synthetic: SyntheticUsers | null;
  /** Numbers of the synthetic users who are stored or removed, in ascending order. */
  readonly replaced: Uint32Array;
}

/** Users of a state in the order of a name: stored ones among the synthetic ones. */
export class SortedUsers implements RowSource<UserRecord> {
  readonly length: number;
  readonly #entries: readonly Entry[];
  readonly #part: SyntheticPart;
  /** Positions of the stored users in the list, in ascending order; empty without synthetic users. */
  readonly #places: Uint32Array;
  /** Number of unchanged synthetic users before each replaced one. */
  readonly #before: Uint32Array;

  constructor(entries: readonly Entry[], part: SyntheticPart) {
    const { synthetic, replaced } = part;
    this.#entries = entries;
    this.#part = part;
    this.#before = replaced.map((index, count) => index - count);
    this.length = entries.length + (synthetic === null ? 0 : synthetic.count - replaced.length);
    this.#places =
      synthetic === null
        ? new Uint32Array()
        : Uint32Array.from(entries, (entry, index) => this.#countSynthetic(entry) + index);
  }

  /** Returns the user at a position. */
  at(position: number): UserRecord | undefined {
    const { synthetic } = this.#part;
    if (synthetic === null) return this.#entries[position]?.user;
    if (position >= this.length) return undefined;
    const stored = countUpTo(this.#places, position);
    if (stored > 0 && this.#places[stored - 1] === position) return this.#entries[stored - 1]?.user;
    return synthetic.recordAt(this.#toIndex(position - stored));
  }

  /** Returns the users to whom a test applies. It must not depend on the ids and names of users. */
  filter(test: (user: UserRecord) => boolean): RowSource<UserRecord> {
    return pickRows(this, this.#findPositions(test));
  }

  #findPositions(test: (user: UserRecord) => boolean): Uint32Array {
    const { synthetic } = this.#part;
    const found = new PositionList();
    if (synthetic === null) {
      for (const [position, { user }] of this.#entries.entries()) if (test(user)) found.add(position);
      return found.toArray();
    }
    const isTypeFound = synthetic.types.map((_, type) => test(synthetic.typicalRecord(type)));
    let stored = 0;
    for (let position = 0; position < this.length; position += 1) {
      if (this.#places[stored] === position) {
        const user = this.#entries[stored]?.user;
        if (user !== undefined && test(user)) found.add(position);
        stored += 1;
      } else if (isTypeFound[synthetic.typeAt(this.#toIndex(position - stored))] === true) {
        found.add(position);
      }
    }
    return found.toArray();
  }

  /** Returns the number of the unchanged synthetic user at a position among them. */
  #toIndex(position: number): number {
    return this.#before.length === 0 ? position : position + countUpTo(this.#before, position);
  }

  /** Counts the unchanged synthetic users before a key. */
  #countSynthetic(key: SortKey): number {
    const { synthetic, name, replaced } = this.#part;
    if (synthetic === null) return 0;
    const index = findFirst(synthetic.count, (one) => {
      const text = name === 'displayName' ? synthetic.displayNameAt(one).toLowerCase() : synthetic.nameAt(one);
      return compareKeys({ name: text, id: synthetic.idAt(one) }, key) >= 0;
    });
    return index - findFirst(replaced.length, (one) => (replaced[one] ?? 0) >= index);
  }
}

/** List of positions in memory of a fixed size per position. */
class PositionList {
  #positions = new Uint32Array(1_024);
  #length = 0;

  add(position: number): void {
    if (this.#length === this.#positions.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#positions);
      this.#positions = larger;
    }
    this.#positions[this.#length] = position;
    this.#length += 1;
  }

  toArray(): Uint32Array {
    return this.#positions.slice(0, this.#length);
  }
}

/** Compares two keys of an order. */
export function compareKeys(one: SortKey, other: SortKey): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

/** Merges two sorted lists. */
function merge(first: readonly Entry[], second: readonly Entry[]): readonly Entry[] {
  if (first.length === 0) return second;
  const merged: Entry[] = [];
  let next = 0;
  for (const entry of first) {
    for (let other = second[next]; other !== undefined && compareKeys(other, entry) < 0; other = second[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(entry);
  }
  for (const entry of second.slice(next)) merged.push(entry);
  return merged;
}

/** Counts the values up to a maximum in a list in ascending order. */
function countUpTo(values: Uint32Array, max: number): number {
  return findFirst(values.length, (index) => (values[index] ?? 0) > max);
}
