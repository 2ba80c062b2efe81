/** How many failed attempts are let pass, and how long. */
export interface AttemptBounds {
  /** Failed attempts of one subject in a window; the next guess is refused, right or wrong. */
  readonly attemptsMax: number;
  /** A window begins with its first failed attempt. */
  readonly windowMs: number;
}

/** The failed attempts of one subject. */
export interface AttemptWindow {
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * Counts failed attempts of a secret by subject, in windows of time. It is told the time and holds no guess. A clock that was set
 * back begins a new window. No subject makes room for another: the caller bounds their number, by subjects that exist or by
 * `sharedCounter`, so that no one who guesses chooses what is forgotten.
 */
export class AttemptLimiter {
  readonly #bounds: AttemptBounds;
  /** Windows in the order of their latest guess. */
  readonly #windows = new Map<string, AttemptWindow>();

  /** Takes the bounds. */
  constructor(bounds: AttemptBounds) {
    this.#bounds = bounds;
  }

  /** How long a subject has to wait before it may guess again, in ms; 0 when it may guess now. */
  waitMs(subject: string, nowMs: number): number {
    const window = this.#openWindow(subject, nowMs);
    if (window === null || window.count < this.#bounds.attemptsMax) return 0;
    return window.sinceMs + this.#bounds.windowMs - nowMs;
  }

  /** Notes a failed attempt. Returns the window of the subject, and subjects whose windows are over and were forgotten. */
  note(subject: string, nowMs: number): { readonly window: AttemptWindow; readonly forgotten: readonly string[] } {
    const { sinceMs, count } = this.#openWindow(subject, nowMs) ?? { sinceMs: nowMs, count: 0 };
    const window = { sinceMs, count: count + 1 };
    this.restore(subject, window);
    return { window, forgotten: this.#forgetOver(nowMs) };
  }

  /** Takes up a window that was noted before, in place of what is known of the subject. */
  restore(subject: string, window: AttemptWindow): void {
    this.#windows.delete(subject);
    this.#windows.set(subject, window);
  }

  /** Forgets the failed attempts of a subject that has guessed right. Returns whether there were any. */
  forget(subject: string): boolean {
    return this.#windows.delete(subject);
  }

  /** Forgets everything. Returns the subjects that were known. */
  clear(): readonly string[] {
    const subjects = [...this.#windows.keys()];
    this.#windows.clear();
    return subjects;
  }

  /** Windows that are over stand at the beginning, since a window that is guessed in moves to the end. */
  #forgetOver(nowMs: number): readonly string[] {
    const forgotten: string[] = [];
    for (const subject of this.#windows.keys()) {
      if (this.#openWindow(subject, nowMs) !== null) break;
      this.#windows.delete(subject);
      forgotten.push(subject);
    }
    return forgotten;
  }

  #openWindow(subject: string, nowMs: number): AttemptWindow | null {
    const window = this.#windows.get(subject);
    if (window === undefined) return null;
    const isOpen = nowMs >= window.sinceMs && nowMs < window.sinceMs + this.#bounds.windowMs;
    return isOpen ? window : null;
  }
}

/**
 * Finds the counter that a name shares with others, so that any number of synthetic names takes a bounded number of counters and
 * pushes none out. Takes a keyed digest of the name in base64url, so that no one can choose names of one counter, and how many
 * counters there are, at most 2^32.
 */
export function sharedCounter(digest: string, counters: number): number {
  return Buffer.from(digest, 'base64url').readUInt32BE() % counters;
}
