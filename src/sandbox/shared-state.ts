/** Prefix for the names of stored values that are passed on with a lease. */
export const sharedStatePrefix = 'carried/';

/** State outside the journal that all processes of a sandbox must agree on. */
export interface SharedStatePart {
  /** Name of the part, without a slash. */
  readonly name: string;
  /** Returns the changes since the previous call by key, with `null` for removed values. */
  give(): ReadonlyMap<string, string | null>;
  /** Applies a change of another process. */
  take(key: string, value: string | null): void;
}

/**
 * State that is passed on from one process to the next in addition to the journal and stored values, such as the
 * occurrences of connection faults. The state is written when a lease is released, and only if it changed. A
 * process that crashes loses it.
 */
export class SharedState {
  readonly #parts = new Map<string, SharedStatePart>();
  /** Values that were read before their part was added. */
  readonly #early = new Map<string, string | null>();
  readonly #listeners = new Set<(kept: ReadonlyMap<string, string | null> | null) => void>();

  /** Adds a part and applies the values that were already read for it. */
  add(part: SharedStatePart): void {
    this.#parts.set(part.name, part);
    for (const [name, value] of this.#early) {
      if (getPartName(name) !== part.name) continue;
      this.#early.delete(name);
      part.take(getKey(name), value);
    }
  }

  /**
   * Calls the listener when another process has changed stored values, with the values by name or `null` if any may
   * have changed.
   */
  onKept(listener: (kept: ReadonlyMap<string, string | null> | null) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Applies the values that another process stored, discarded and passed on.
   *
   * @param kept - values by name
   * @param complete - true if these are all changes and nothing was restored, or false if listeners must read
   *   everything again
   */
  take(kept: ReadonlyMap<string, string | null>, complete = true): void {
    for (const [name, value] of kept) {
      if (!name.startsWith(sharedStatePrefix)) continue;
      const part = this.#parts.get(getPartName(name));
      if (part === undefined) this.#early.set(name, value);
      else part.take(getKey(name), value);
    }
    if (complete && kept.size === 0) return;
    for (const listener of this.#listeners) listener(complete ? kept : null);
  }

  /** Returns the values to store or discard for the next process, by name. */
  give(): readonly (readonly [name: string, value: string | null])[] {
    return [...this.#parts.values()].flatMap((part) =>
      Array.from(part.give(), ([key, value]) => [`${sharedStatePrefix}${part.name}/${key}`, value] as const),
    );
  }
}

function getPartName(name: string): string {
  return name.slice(sharedStatePrefix.length).split('/', 1)[0] ?? '';
}

function getKey(name: string): string {
  return name.slice(name.indexOf('/', sharedStatePrefix.length) + 1);
}
