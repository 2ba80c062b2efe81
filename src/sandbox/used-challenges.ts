import { usedChallengesMax } from '../core/limits.ts';
import type { Recorder } from './recorder.ts';

/** Challenge that was issued to a page. */
export interface GivenChallenge {
  /** Unique id of the challenge. */
  readonly id: string;
  /** Time of issue on the virtual clock in milliseconds, which determines whether the challenge has expired. */
  readonly atMs: number;
  /**
   * Time of issue on the system clock in milliseconds. No administrator can set it back, so it determines the order
   * of removal.
   */
  readonly madeMs: number;
}

/** Challenges of one kind: their lifetime, and the names of their stored values. */
interface ChallengeKind {
  /** Maximum lifetime in milliseconds of virtual time. */
  readonly lifetimeMs: number;
  /** Beginning of the names of the values of used challenges. */
  readonly beginning: string;
  /** Name of the value with the time up to which challenges were removed. */
  readonly forgottenName: string;
}

/** Challenges of pages. */
const pageChallenges: ChallengeKind = {
  lifetimeMs: 600_000,
  beginning: 'used-challenge/',
  forgottenName: 'used-challenges-forgotten',
};

/** Challenges of the directory API, which live for up to 30 days. */
export const directoryChallenges: ChallengeKind = {
  lifetimeMs: 30 * 86_400_000,
  beginning: 'used-directory-challenge/',
  forgottenName: 'used-directory-challenges-forgotten',
};

/** Used challenges of a sandbox, and the time up to which challenges were removed and are therefore rejected. */
interface Used {
  readonly challenges: Map<string, Pick<GivenChallenge, 'atMs' | 'madeMs'>>;
  forgottenMs: number;
}

/**
 * Record of used challenges. Used challenges are stored with the journal, so neither a restart nor another server
 * of the same database accepts a response twice. Expired challenges are removed. At the limit the oldest ones are
 * removed too, and every challenge issued before a removed one is rejected.
 */
export class UsedChallenges {
  readonly #recorder: Recorder;
  readonly #kind: ChallengeKind;
  #used: Promise<Used> | null = null;
  #follows = false;

  /** Creates the record. By default it is that of pages. */
  constructor(recorder: Recorder, kind = pageChallenges) {
    this.#recorder = recorder;
    this.#kind = kind;
  }

  /**
   * Returns true if a challenge can still be used, because it has neither expired nor been used. Throws
   * `store-corrupt`.
   */
  async mayBeUsed(challenge: GivenChallenge): Promise<boolean> {
    return this.#isFresh(await this.#held(), challenge);
  }

  /**
   * Marks a challenge as used. Returns true if it was still usable: of two concurrent responses only the first
   * succeeds. Resolves when the store has the mark. Throws `store-corrupt` and the errors of the store.
   */
  async use(challenge: GivenChallenge): Promise<boolean> {
    const used = await this.#held();
    // The check and the mark happen without a wait in between, so they are atomic.
    if (!this.#isFresh(used, challenge)) return false;
    const { id, atMs, madeMs } = challenge;
    used.challenges.set(id, { atMs, madeMs });
    const gone = this.#forget(used);
    const { store, sandboxId } = this.#recorder;
    await Promise.all([
      store.keep(sandboxId, `${this.#kind.beginning}${id}`, `${atMs} ${madeMs}`),
      ...(gone.length === 0 ? [] : [store.keep(sandboxId, this.#kind.forgottenName, String(used.forgottenMs))]),
      ...gone.map((name) => store.discard(sandboxId, `${this.#kind.beginning}${name}`)),
    ]);
    return true;
  }

  #isFresh({ challenges, forgottenMs }: Used, { id, atMs, madeMs }: GivenChallenge): boolean {
    const ageMs = this.#recorder.nowMs() - atMs;
    return ageMs >= 0 && ageMs <= this.#kind.lifetimeMs && madeMs > forgottenMs && !challenges.has(id);
  }

  /** Removes the oldest challenges that have expired or exceed the limit. Returns their ids. */
  #forget(used: Used): readonly string[] {
    const nowMs = this.#recorder.nowMs();
    const gone: string[] = [];
    for (const [id, { atMs, madeMs }] of used.challenges) {
      if (used.challenges.size <= usedChallengesMax && nowMs - atMs <= this.#kind.lifetimeMs) break;
      used.challenges.delete(id);
      used.forgottenMs = Math.max(used.forgottenMs, madeMs);
      gone.push(id);
    }
    return gone;
  }

  #held(): Promise<Used> {
    if (!this.#follows) this.#recorder.carried.onKept((kept) => this.#follow(kept));
    this.#follows = true;
    if (this.#used !== null) return this.#used;
    const read = this.#read();
    this.#used = read;
    // Every waiting caller receives the failure. The next call tries again.
    read.catch(() => {
      this.#used = null;
    });
    return read;
  }

  async #read(): Promise<Used> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.keptUnder(sandboxId, this.#kind.beginning);
    const rows = Array.from(
      kept,
      ([name, value]) => [name.slice(this.#kind.beginning.length), readValue(value)] as const,
    );
    const inOrder = rows.toSorted(([, a], [, b]) => a.madeMs - b.madeMs);
    return {
      challenges: new Map(inOrder),
      forgottenMs: Number((await store.kept(sandboxId, this.#kind.forgottenName)) ?? 0),
    };
  }

  /** Applies the challenges that another process has used or removed. After a restore, all of them are read again. */
  #follow(kept: ReadonlyMap<string, string | null> | null): void {
    if (kept === null) {
      this.#used = null;
      return;
    }
    this.#used?.then(
      (used) => {
        for (const [name, value] of kept) {
          if (name === this.#kind.forgottenName) used.forgottenMs = Math.max(used.forgottenMs, Number(value));
          if (!name.startsWith(this.#kind.beginning)) continue;
          const id = name.slice(this.#kind.beginning.length);
          if (value === null) used.challenges.delete(id);
          else used.challenges.set(id, readValue(value));
        }
      },
      () => undefined,
    );
  }
}

function readValue(value: string): Pick<GivenChallenge, 'atMs' | 'madeMs'> {
  const [atMs = '', madeMs = ''] = value.split(' ');
  return { atMs: Number(atMs), madeMs: Number(madeMs) };
}
