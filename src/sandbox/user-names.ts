import { afterPendingInput, stopwatch } from '../core/clock.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';

/** Users whose names stand in one text: few enough that a change of one is soon written again. */
const blockUsers = 512;

/** Real time for which names are written down before others have their turn, in ms. */
const sliceMs = 5;

/** Stands between the names of a user, so that no search finds the end of one with the beginning of the next. */
const between = '\u0000';

/** Names of some users in lower case, one behind the other. */
interface Block {
  readonly text: string;
  /** Where the names of each user end. */
  readonly ends: Uint32Array;
}

/** The names of a user as they are searched. */
export function searchedNames({ facts: { id }, profile }: UserRecord): string {
  return `${id}${between}${profile.userPrincipalName}${between}${profile.displayName}`.toLowerCase();
}

/**
 * The names of many users as a few long texts: a search reads them many times faster than it asks every user. What is written
 * down is compared with the users before each search, so that it needs to be told of no change.
 */
export class UserNames {
  readonly #records: UserRecord[] = [];
  readonly #profiles: UserRecord['profile'][] = [];
  readonly #blocks: (Block | undefined)[] = [];
  #lastSeq = -1;

  /** Writes the names down, a little at a time; a search that comes earlier waits for nothing and writes the rest itself. */
  async prepare(state: SandboxState): Promise<void> {
    this.#compare(state);
    const elapsed = stopwatch();
    let turnMs = 0;
    for (let block = 0; block * blockUsers < this.#records.length; block += 1) {
      this.#blockOf(block);
      if (elapsed() - turnMs < sliceMs) continue;
      await new Promise<void>((resolve) => {
        afterPendingInput(resolve);
      });
      turnMs = elapsed();
    }
  }

  /** Tells of each user in whose names a text stands, in order of their making. Takes the state as of now and a text in lower case. */
  find(state: SandboxState, text: string, tell: (user: UserRecord) => void): void {
    this.#compare(state);
    const records = this.#records;
    for (let block = 0; block * blockUsers < records.length; block += 1) {
      const { text: names, ends } = this.#blockOf(block);
      let user = 0;
      for (let at = names.indexOf(text); at !== -1; ) {
        while ((ends[user] as number) <= at) user += 1;
        const end = ends[user] as number;
        // What begins in the names of one user and ends in those of the next is found in neither.
        const isInside = at + text.length <= end;
        if (isInside) tell(records[block * blockUsers + user] as UserRecord);
        at = names.indexOf(text, isInside ? end : at + 1);
      }
    }
  }

  /** Drops the blocks of users who came, went or were renamed since the last search. */
  #compare({ users, lastSeq }: SandboxState): void {
    if (lastSeq === this.#lastSeq && users.size === this.#records.length) return;
    let index = 0;
    for (const record of users.values()) {
      if (this.#records[index] !== record || this.#profiles[index] !== record.profile) {
        this.#records[index] = record;
        this.#profiles[index] = record.profile;
        this.#blocks[Math.floor(index / blockUsers)] = undefined;
      }
      index += 1;
    }
    if (index < this.#records.length) {
      this.#records.length = index;
      this.#profiles.length = index;
      this.#blocks.length = Math.floor(index / blockUsers);
    }
    this.#lastSeq = lastSeq;
  }

  #blockOf(block: number): Block {
    const known = this.#blocks[block];
    if (known !== undefined) return known;
    const names = this.#records.slice(block * blockUsers, (block + 1) * blockUsers).map(searchedNames);
    const ends = new Uint32Array(names.length);
    let end = 0;
    for (const [user, name] of names.entries()) {
      end += name.length;
      ends[user] = end;
    }
    const made = { text: names.join(''), ends };
    this.#blocks[block] = made;
    return made;
  }
}
