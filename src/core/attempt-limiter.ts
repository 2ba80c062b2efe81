/** Limits for failed attempts. */
export interface AttemptBounds {
  /**
   * Maximum number of failed attempts per subject and window. Further attempts are rejected even if they are correct.
   */
  readonly attemptsMax: number;
  /** Length of a window in milliseconds. A window starts at its first failed attempt. */
  readonly windowMs: number;
}

/** Failed attempts of one subject in one window. */
export interface AttemptWindow {
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * Counts failed attempts to guess a secret, per subject and time window. The caller passes the time, and no
 * attempted value is stored. A clock that was set back starts a new window. Subjects are never evicted to make
 * space, so an attacker cannot erase the count of another subject. The caller limits their number through the
 * existing subjects or `sharedCounter`.
 */
export class AttemptLimiter {
  readonly #bounds: AttemptBounds;
  /** Windows in the order of their latest failed attempt. */
  readonly #windows = new Map<string, AttemptWindow>();

  /** Creates a limiter without failed attempts. */
  constructor(bounds: AttemptBounds) {
    this.#bounds = bounds;
  }

  /** `true` if no failed attempt is known. */
  get isEmpty(): boolean {
    return this.#windows.size === 0;
  }

  /** Returns the remaining wait of a subject in milliseconds; 0 if it can try again now. */
  waitMs(subject: string, nowMs: number): number {
    const window = this.#openWindow(subject, nowMs);
    if (window === null || window.count < this.#bounds.attemptsMax) return 0;
    return window.sinceMs + this.#bounds.windowMs - nowMs;
  }

  /**
   * Records a failed attempt. Returns the window of the subject, and the subjects whose expired windows were removed.
   */
  note(subject: string, nowMs: number): { readonly window: AttemptWindow; readonly forgotten: readonly string[] } {
    const { sinceMs, count } = this.#openWindow(subject, nowMs) ?? { sinceMs: nowMs, count: 0 };
    const window = { sinceMs, count: count + 1 };
    this.restore(subject, window);
    return { window, forgotten: this.#forgetOver(nowMs) };
  }

  /** Restores a previously recorded window and replaces the current one of the subject. */
  restore(subject: string, window: AttemptWindow): void {
    this.#windows.delete(subject);
    this.#windows.set(subject, window);
  }

  /** Removes the failed attempts of a subject after a successful one. Returns `true` if there were any. */
  forget(subject: string): boolean {
    return this.#windows.delete(subject);
  }

  /** Removes all windows. Returns their subjects. */
  clear(): readonly string[] {
    const subjects = [...this.#windows.keys()];
    this.#windows.clear();
    return subjects;
  }

  /** Removes expired windows. They are at the start, because each failed attempt moves its window to the end. */
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
 * Returns the index of a counter that is shared by several names. Any number of unknown names therefore uses a
 * limited number of counters and evicts none.
 * @param digest - keyed digest of the name in base64url, so an attacker cannot choose names with the same counter
 * @param counters - number of counters, at most 2^32
 */
export function sharedCounter(digest: string, counters: number): number {
  return Buffer.from(digest, 'base64url').readUInt32BE() % counters;
}
