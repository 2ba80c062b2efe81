import { afterPendingInput, stopwatch } from '../core/clock.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';

/** Number of users whose names share one text, small enough to rebuild the text quickly after a change. */
const blockUsers = 512;

/** Maximum time for building name texts before yielding to other work, in milliseconds of real time. */
const sliceMs = 5;

/** Separator between the names of a user, so no search matches across two names. */
const between = '\u0000';

/** Lower-case names of a block of users in one text. */
interface Block {
  readonly text: string;
  /** End position of each user's names in the text. */
  readonly ends: Uint32Array;
}

/** Returns the searchable names of a user. */
export function searchedNames({ facts: { id }, profile }: UserRecord): string {
  return `${id}${between}${profile.userPrincipalName}${between}${profile.displayName}`.toLowerCase();
}

/**
 * Search index with the names of many users in a few long texts, which is much faster than comparing each user. The
 * index is compared with the users before each search, so it needs no change notifications.
 */
export class UserNames {
  readonly #records: UserRecord[] = [];
  readonly #profiles: UserRecord['profile'][] = [];
  readonly #blocks: (Block | undefined)[] = [];
  #lastSeq = -1;

  /** Builds the index in slices. An earlier search does not wait and builds the remaining part itself. */
  async prepare(state: SandboxState): Promise<void> {
    // Synthetic users are not indexed, because the index would need memory for each of them.
    if (state.users.synthetic !== null) return;
    this.#compare(state);
    const elapsed = stopwatch();
    let turnMs = 0;
    for (let block = 0; block * blockUsers < this.#records.length; block += 1) {
      this.#getBlock(block);
      if (elapsed() - turnMs < sliceMs) continue;
      await new Promise<void>((resolve) => {
        afterPendingInput(resolve);
      });
      turnMs = elapsed();
    }
  }

  /** Calls `tell` for each user whose names contain a lower-case text, in order of creation. */
  find(state: SandboxState, text: string, tell: (user: UserRecord) => void): void {
    this.#compare(state);
    const records = this.#records;
    for (let block = 0; block * blockUsers < records.length; block += 1) {
      const { text: names, ends } = this.#getBlock(block);
      let user = 0;
      for (let at = names.indexOf(text); at !== -1; ) {
        while ((ends[user] as number) <= at) user += 1;
        const end = ends[user] as number;
        // A match that starts in the names of one user and ends in those of the next is invalid.
        const isInside = at + text.length <= end;
        if (isInside) tell(records[block * blockUsers + user] as UserRecord);
        at = names.indexOf(text, isInside ? end : at + 1);
      }
    }
  }

  /** Discards the blocks of users who were added, removed or renamed since the last search. */
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

  #getBlock(block: number): Block {
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
