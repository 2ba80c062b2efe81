import { usedChallengesMax } from '../core/limits.ts';
import type { Recorder } from './recorder.ts';

/** A challenge that a page was given. */
export interface GivenChallenge {
  /** Unrepeatable. */
  readonly id: string;
  /** When it was made by the virtual clock, in ms: this decides whether it is too old. */
  readonly atMs: number;
  /** When it was made by the machine's clock, in ms, which no administrator sets back: this decides whether it may be forgotten. */
  readonly madeMs: number;
}

/** How long a challenge may be answered, in ms of virtual time. */
const lifetimeMs = 600_000;

/** Names of values beside the journal: one for each used challenge, and the time up to which they are forgotten. */
const beginning = 'used-challenge/';
const forgottenName = 'used-challenges-forgotten';

/** The used challenges of a sandbox, and the time up to which challenges are forgotten and therefore refused. */
interface Used {
  readonly challenges: Map<string, Pick<GivenChallenge, 'atMs' | 'madeMs'>>;
  forgottenMs: number;
}

/**
 * Challenges that were answered once and for all. They are kept in the store beside the journal, so that neither a restart nor
 * another server of the same database accepts an answer again. What has expired is discarded; at the limit the oldest ones
 * are, and no challenge is accepted any more that was made before one that is forgotten.
 */
export class UsedChallenges {
  readonly #recorder: Recorder;
  #used: Promise<Used> | null = null;
  #follows = false;

  /** Takes the recorder of the sandbox. */
  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Whether a challenge may still be answered: it is not too old, and was not used before. Throws `store-corrupt`. */
  async mayBeUsed(challenge: GivenChallenge): Promise<boolean> {
    return this.#isFresh(await this.#held(), challenge);
  }

  /**
   * Uses a challenge up. Returns whether it could still be used: of two answers that come at the same moment one is too late.
   * Resolves when the store has it. Throws `store-corrupt` and what the store throws.
   */
  async use(challenge: GivenChallenge): Promise<boolean> {
    const used = await this.#held();
    // Asked and remembered in one go, without a wait between.
    if (!this.#isFresh(used, challenge)) return false;
    const { id, atMs, madeMs } = challenge;
    used.challenges.set(id, { atMs, madeMs });
    const gone = this.#forget(used);
    const { store, sandboxId } = this.#recorder;
    await Promise.all([
      store.keep(sandboxId, `${beginning}${id}`, `${atMs} ${madeMs}`),
      ...(gone.length === 0 ? [] : [store.keep(sandboxId, forgottenName, String(used.forgottenMs))]),
      ...gone.map((name) => store.discard(sandboxId, `${beginning}${name}`)),
    ]);
    return true;
  }

  #isFresh({ challenges, forgottenMs }: Used, { id, atMs, madeMs }: GivenChallenge): boolean {
    const ageMs = this.#recorder.nowMs() - atMs;
    return ageMs >= 0 && ageMs <= lifetimeMs && madeMs > forgottenMs && !challenges.has(id);
  }

  /** Forgets the oldest ones that have expired or are too many. Returns their ids. */
  #forget(used: Used): readonly string[] {
    const nowMs = this.#recorder.nowMs();
    const gone: string[] = [];
    for (const [id, { atMs, madeMs }] of used.challenges) {
      if (used.challenges.size <= usedChallengesMax && nowMs - atMs <= lifetimeMs) break;
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
    // A failure is told to anyone who asked; the next one asks again.
    read.catch(() => {
      this.#used = null;
    });
    return read;
  }

  async #read(): Promise<Used> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.keptUnder(sandboxId, beginning);
    const rows = Array.from(kept, ([name, value]) => [name.slice(beginning.length), readValue(value)] as const);
    const inOrder = rows.toSorted(([, a], [, b]) => a.madeMs - b.madeMs);
    return { challenges: new Map(inOrder), forgottenMs: Number((await store.kept(sandboxId, forgottenName)) ?? 0) };
  }

  /** Takes up what another process has used and forgotten since; what was taken back is read again. */
  #follow(kept: ReadonlyMap<string, string | null> | null): void {
    if (kept === null) {
      this.#used = null;
      return;
    }
    this.#used?.then(
      (used) => {
        for (const [name, value] of kept) {
          if (name === forgottenName) used.forgottenMs = Math.max(used.forgottenMs, Number(value));
          if (!name.startsWith(beginning)) continue;
          const id = name.slice(beginning.length);
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
