import { AttemptLimiter, type AttemptWindow } from '../../core/attempt-limiter.ts';
import { userAttemptsMax, userAttemptWindowMs } from '../../core/limits.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Names of failed attempts beside the journal begin with this. */
const keptPrefix = 'failed-attempts/';

/** A window as it is kept, with the place in the journal at which it was written. */
interface KeptWindow extends AttemptWindow {
  readonly seq: number;
}

const stores = new WeakMap<Sandbox, Promise<FailedAttemptStore>>();
const followed = new WeakSet<Sandbox>();

/** Opens the failed attempts of a sandbox, once. Throws what the store throws. */
export function getFailedAttempts(sandbox: Sandbox): Promise<FailedAttemptStore> {
  const known = stores.get(sandbox);
  if (known !== undefined) return known;
  const opened = FailedAttemptStore.open(sandbox);
  stores.set(sandbox, opened);
  // A failure is told to anyone who asked; the next one opens it again.
  opened.catch(() => stores.delete(sandbox));
  if (!followed.has(sandbox)) sandbox.recorder.carried.onKept((kept) => follow(sandbox, kept));
  followed.add(sandbox);
  return opened;
}

/** Follows what another process has kept; where that is unknown, everything is read again. */
function follow(sandbox: Sandbox, kept: ReadonlyMap<string, string | null> | null): void {
  if (kept === null) stores.delete(sandbox);
  else
    stores.get(sandbox)?.then(
      (store) => store.follow(kept),
      () => undefined,
    );
}

/**
 * Counts the failed attempts at the secrets of one sandbox, on the virtual clock. Each is written through to the store before it
 * is answered, beside the journal, so that all servers of a database count together and a restart forgets none. When the sandbox
 * goes back to an earlier state, all counts are cleared.
 */
export class FailedAttemptStore {
  readonly #sandbox: Sandbox;
  readonly #limit = new AttemptLimiter({ attemptsMax: userAttemptsMax, windowMs: userAttemptWindowMs });
  /** The state that the counts belong to; going back puts another one in its place. */
  #state: SandboxState;

  /** Takes up what the store has kept of a sandbox. Throws `store-corrupt`. */
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

  /** Takes up what another process has kept and discarded since. */
  follow(kept: ReadonlyMap<string, string | null>): void {
    for (const [name, text] of kept) {
      if (!name.startsWith(keptPrefix)) continue;
      const subject = name.slice(keptPrefix.length);
      if (text === null) this.#limit.forget(subject);
      else this.#limit.restore(subject, JSON.parse(text) as KeptWindow);
    }
  }

  /** How long a subject has to wait before the next attempt, in ms; 0 when it may try now. */
  waitMs(subject: string): number {
    this.#forgetWhatWasUndone();
    return this.#limit.waitMs(subject, this.#sandbox.clock.nowMs());
  }

  /** Counts a failed attempt. Resolves when the store has it. */
  async note(subject: string): Promise<void> {
    const { window, forgotten } = this.#limit.note(subject, this.#sandbox.clock.nowMs());
    const { store } = this.#sandbox.recorder;
    const kept = JSON.stringify({ ...window, seq: this.#state.lastSeq } satisfies KeptWindow);
    const written = store.keep(this.#sandbox.id, `${keptPrefix}${subject}`, kept);
    await Promise.all([written, ...forgotten.map((over) => this.#discard(over))]);
  }

  /** Clears the count of a subject after a successful attempt. Resolves when the store has done so. */
  async clear(subject: string): Promise<void> {
    if (this.#limit.forget(subject)) await this.#discard(subject);
  }

  #forgetWhatWasUndone(): void {
    const state = this.#sandbox.recorder.state();
    if (state === this.#state) return;
    this.#state = state;
    // A store that failed tells anyone who writes to it next.
    for (const subject of this.#limit.clear()) this.#discard(subject).catch(() => undefined);
  }

  #discard(subject: string): Promise<void> {
    return this.#sandbox.recorder.store.discard(this.#sandbox.id, `${keptPrefix}${subject}`);
  }
}
