/** How many wrong guesses are let pass, and how long. */
export interface GuessBounds {
  /** Wrong guesses of one subject in a window; the next guess is refused, right or wrong. */
  readonly guessesMax: number;
  /** A window begins with its first wrong guess. */
  readonly windowMs: number;
  /** Subjects that are remembered; the one that guessed longest ago makes room. */
  readonly subjectsMax: number;
}

interface Window {
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * Counts wrong guesses of a secret by subject, in windows of time. It is told the time, holds no guess, and is bounded. A clock
 * that was set back begins a new window.
 */
export class GuessLimit {
  readonly #bounds: GuessBounds;
  readonly #windows = new Map<string, Window>();

  /** Takes the bounds. */
  constructor(bounds: GuessBounds) {
    this.#bounds = bounds;
  }

  /** How long a subject has to wait before it may guess again, in ms; 0 when it may guess now. */
  waitMs(subject: string, nowMs: number): number {
    const window = this.#openWindow(subject, nowMs);
    if (window === null || window.count < this.#bounds.guessesMax) return 0;
    return window.sinceMs + this.#bounds.windowMs - nowMs;
  }

  /** Notes a wrong guess. */
  note(subject: string, nowMs: number): void {
    const { sinceMs, count } = this.#openWindow(subject, nowMs) ?? { sinceMs: nowMs, count: 0 };
    this.#windows.delete(subject);
    this.#windows.set(subject, { sinceMs, count: count + 1 });
    if (this.#windows.size <= this.#bounds.subjectsMax) return;
    for (const longestAgo of this.#windows.keys()) {
      this.#windows.delete(longestAgo);
      break;
    }
  }

  /** Forgets the wrong guesses of a subject that has guessed right. */
  forget(subject: string): void {
    this.#windows.delete(subject);
  }

  #openWindow(subject: string, nowMs: number): Window | null {
    const window = this.#windows.get(subject);
    if (window === undefined) return null;
    const isOpen = nowMs >= window.sinceMs && nowMs < window.sinceMs + this.#bounds.windowMs;
    return isOpen ? window : null;
  }
}
