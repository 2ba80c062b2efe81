import type { UserFacts } from '../../machines/vocabulary.ts';
import { completeUser } from '../contract/complete-user.ts';
import type { SandboxUser, UserProfile } from '../contract/sandbox.schema.ts';
import type { SyntheticUsersDescription } from '../contract/synthetic-users.schema.ts';
import { numberedGuid, parseGuidNumber } from '../core/numbered-guid.ts';
import { Permutation } from '../core/permutation.ts';
import { threefry2x32 } from '../core/threefry.ts';
import type { NudgeSnapshot } from './sandbox-model.ts';
import { givenNames, initials, surnames } from './synthetic-names.ts';
import type { UserRecord } from './user-record.ts';

/** Users of one type: what they share, and how many there are. */
export interface SyntheticUserType {
  readonly facts: Omit<UserFacts, 'id'>;
  readonly profile: Omit<UserProfile, 'userPrincipalName' | 'displayName'>;
  readonly nudge: NudgeSnapshot;
  readonly count: number;
}

/** Parts of a user without an id, as `SyntheticUsers` requires them. */
export type SplitUser = (user: SandboxUser) => Pick<UserRecord, 'facts' | 'profile' | 'nudge'>;

/** Names of one user. */
interface SyntheticName {
  readonly given: string;
  readonly initial: string;
  readonly surname: string;
}

const namesMax = givenNames.length * initials.length * surnames.length;

/** Digits of the number in a user principal name, which make it unique. */
const numberDigits = 7;
const numberInName = /\.(\d{7})@/;

/** Number of the random stream for ids, and of the one for names. */
const idStream = 1;
const nameStream = 2;

/**
 * Synthetic users of a sandbox. The user with a number is a function of the description, so none is stored. Display
 * names, user principal names and ids are all in the order of the numbers, so lists need no sorting. Each type has its
 * exact share of the users.
 */
export class SyntheticUsers {
  readonly description: SyntheticUsersDescription;
  readonly types: readonly SyntheticUserType[];
  /** First position after the users of each type in the permuted order. */
  readonly #ends: Uint32Array;
  readonly #positions: Permutation;
  readonly #nameOffset: number;
  readonly #words = new Int32Array(2);
  #typesByIndex: Uint16Array | null = null;

  /** Creates the users of a description. `split` converts the user of a type to the parts of a record. */
  constructor(description: SyntheticUsersDescription, split: SplitUser) {
    const { count, seed, types } = description;
    this.description = description;
    this.#positions = new Permutation(count, seed);
    threefry2x32(seed, nameStream, 0, 0, this.#words);
    this.#nameOffset = ((this.#words[0] ?? 0) >>> 0) / 2 ** 32;
    const all = types.reduce((sum, { share }) => sum + share, 0);
    let before = 0;
    this.#ends = Uint32Array.from(types, ({ share }) => {
      before += share;
      return Math.round((before / all) * count);
    });
    this.types = types.map(({ user }, index) => {
      const { facts, profile, nudge } = split(completeUser({ ...user, id: '' }));
      const { id: _none, ...shared } = facts;
      const { userPrincipalName: _name, displayName: _shown, ...rest } = profile;
      const from = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
      return { facts: shared, profile: rest, nudge, count: (this.#ends[index] ?? 0) - from };
    });
  }

  /** Number of users. */
  get count(): number {
    return this.description.count;
  }

  /** Returns the number of the type of a user. The types of all users are computed when the first one is read. */
  typeAt(index: number): number {
    this.#typesByIndex ??= this.#findTypes();
    return this.#typesByIndex[index] ?? 0;
  }

  #findTypes(): Uint16Array {
    const types = new Uint16Array(this.count);
    for (let index = 0; index < types.length; index += 1) types[index] = this.#findType(index);
    return types;
  }

  #findType(index: number): number {
    const position = this.#positions.at(index);
    let [low, high] = [0, this.#ends.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the id of a user: a GUID that starts with the number of the user. */
  idAt(index: number): string {
    const words = this.#words;
    threefry2x32(this.description.seed, idStream, index, 0, words);
    return numberedGuid(index, words);
  }

  /** Returns the number of the user with an id, or -1 if there is none. */
  findIndex(id: string): number {
    const index = parseGuidNumber(id);
    return index < this.count && this.idAt(index) === id ? index : -1;
  }

  /** Returns the number of the user with a user principal name in lower case, or -1 if there is none. */
  findNamed(name: string): number {
    const index = Number(numberInName.exec(name)?.[1] ?? Number.NaN) - 1;
    return index >= 0 && index < this.count && this.nameAt(index) === name ? index : -1;
  }

  get domain(): string {
    return this.description.domain;
  }

  /** Returns the user principal name of a user. */
  nameAt(index: number): string {
    const { given, initial, surname } = this.#person(index);
    const number = String(index + 1).padStart(numberDigits, '0');
    return `${given}.${initial}.${surname}.${number}@${this.domain}`.toLowerCase();
  }

  /** Returns the display name of a user. */
  displayNameAt(index: number): string {
    const { given, initial, surname } = this.#person(index);
    return `${given} ${initial}. ${surname}`;
  }

  /** Returns a record with what the users of a type share. Its id and names are empty. */
  typicalRecord(type: number): UserRecord {
    const { facts, profile, nudge } = this.types[type] as SyntheticUserType;
    return {
      facts: { ...facts, id: '' },
      profile: { ...profile, userPrincipalName: '', displayName: '' },
      nudge,
      credentials: [],
    };
  }

  /** Returns the record of a user, which nothing else refers to. */
  recordAt(index: number): UserRecord {
    const { facts, profile, nudge } = this.types[this.typeAt(index)] as SyntheticUserType;
    const { given, initial, surname } = this.#person(index);
    return {
      facts: { ...facts, id: this.idAt(index) },
      profile: {
        ...profile,
        userPrincipalName: this.nameAt(index),
        displayName: `${given} ${initial}. ${surname}`,
        directory: { givenName: given, surname, ...profile.directory },
      },
      nudge,
      credentials: [],
    };
  }

  /** Returns the number of the name of a user. Names are spread evenly over all of them, in alphabetical order. */
  nameNumberAt(index: number): number {
    return Math.floor(((index + this.#nameOffset) / this.count) * namesMax);
  }

  #person(index: number): SyntheticName {
    const number = this.nameNumberAt(index);
    const surname = surnames[number % surnames.length] ?? '';
    const rest = Math.floor(number / surnames.length);
    const initial = initials[rest % initials.length] ?? '';
    return { given: givenNames[Math.floor(rest / initials.length)] ?? '', initial, surname };
  }
}
