import { AttemptLimiter, type AttemptWindow } from '../../core/attempt-limiter.ts';
import { userAttemptsMax, userAttemptWindowMs } from '../../core/limits.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Key prefix of failed attempts in the store. */
const keptPrefix = 'failed-attempts/';

/** Stored window, with the journal's sequence number at the time of writing. */
interface KeptWindow extends AttemptWindow {
  readonly seq: number;
}

const stores = new WeakMap<Sandbox, Promise<FailedAttemptStore>>();
const followed = new WeakSet<Sandbox>();

/** Returns the failed attempts of a sandbox and opens them on first use. Throws the errors of the store. */
export function getFailedAttempts(sandbox: Sandbox): Promise<FailedAttemptStore> {
  const known = stores.get(sandbox);
  if (known !== undefined) return known;
  const opened = FailedAttemptStore.open(sandbox);
  stores.set(sandbox, opened);
  // All waiting callers receive the failure, and the next call tries to open the store again.
  opened.catch(() => stores.delete(sandbox));
  if (!followed.has(sandbox)) sandbox.recorder.carried.onKept((kept) => follow(sandbox, kept));
  followed.add(sandbox);
  return opened;
}

/** Applies the changes of another process. If they are unknown, everything is read again. */
function follow(sandbox: Sandbox, kept: ReadonlyMap<string, string | null> | null): void {
  if (kept === null) stores.delete(sandbox);
  else
    stores.get(sandbox)?.then(
      (store) => store.follow(kept),
      () => undefined,
    );
}

/**
 * Counts failed attempts for the secrets of one sandbox on the virtual clock. Each attempt is written to the store
 * before the response is sent, so all servers of a database share the counts and restarts keep them. Restoring an
 * earlier state clears all counts.
 */
export class FailedAttemptStore {
  readonly #sandbox: Sandbox;
  readonly #limit = new AttemptLimiter({ attemptsMax: userAttemptsMax, windowMs: userAttemptWindowMs });
  /** State that the counts belong to. A reset or restore replaces it. */
  #state: SandboxState;

  /** Loads the stored failed attempts of a sandbox. Throws `store-corrupt` if they are invalid. */
  static async open(sandbox: Sandbox): Promise<FailedAttemptStore> {
    const attempts = new FailedAttemptStore(sandbox);
    const kept = await sandbox.recorder.store.keptUnder(sandbox.id, keptPrefix);
    if (kept.size === 0) return attempts;
    const { anySeq } = await sandbox.recorder.latestRestores();
    for (const [name, text] of kept) {
      const { seq, ...window } = JSON.parse(text) as KeptWindow;
      const subject = name.slice(keptPrefix.length);
      if (seq >= anySeq) attempts.#limit.restore(subject, window);
      else await attempts.#discard(subject);
    }
    return attempts;
  }

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#state = sandbox.recorder.state();
  }

  /** Applies the entries that another process has stored and deleted. */
  follow(kept: ReadonlyMap<string, string | null>): void {
    for (const [name, text] of kept) {
      if (!name.startsWith(keptPrefix)) continue;
      const subject = name.slice(keptPrefix.length);
      if (text === null) this.#limit.forget(subject);
      else this.#limit.restore(subject, JSON.parse(text) as KeptWindow);
    }
  }

  /** Returns `true` if no subject has a failed attempt. */
  isEmpty(): boolean {
    this.#forgetWhatWasUndone();
    return this.#limit.isEmpty;
  }

  /** Returns the time in milliseconds until the next attempt of a subject is allowed, or 0 if it is allowed now. */
  waitMs(subject: string): number {
    this.#forgetWhatWasUndone();
    return this.#limit.waitMs(subject, this.#sandbox.clock.nowMs());
  }

  /** Counts a failed attempt. Resolves when the store has saved it. */
  async note(subject: string): Promise<void> {
    const { window, forgotten } = this.#limit.note(subject, this.#sandbox.clock.nowMs());
    const { store } = this.#sandbox.recorder;
    const kept = JSON.stringify({ ...window, seq: this.#state.lastSeq } satisfies KeptWindow);
    const written = store.keep(this.#sandbox.id, `${keptPrefix}${subject}`, kept);
    await Promise.all([written, ...forgotten.map((over) => this.#discard(over))]);
  }

  /** Clears the count of a subject after a successful attempt. Resolves when the store has deleted it. */
  async clear(subject: string): Promise<void> {
    if (this.#limit.forget(subject)) await this.#discard(subject);
  }

  #forgetWhatWasUndone(): void {
    const state = this.#sandbox.recorder.state();
    if (state === this.#state) return;
    this.#state = state;
    // If the store fails, the next write reports the error.
    for (const subject of this.#limit.clear()) this.#discard(subject).catch(() => undefined);
  }

  #discard(subject: string): Promise<void> {
    return this.#sandbox.recorder.store.discard(this.#sandbox.id, `${keptPrefix}${subject}`);
  }
}
