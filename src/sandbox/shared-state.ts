/** Names of values that go over with a lease begin so. */
export const sharedStatePrefix = 'carried/';

/** Something that the journal does not hold, and that all processes of a sandbox have to agree on. */
export interface SharedStatePart {
  /** Names it among the parts; no slash. */
  readonly name: string;
  /** What has changed since the call before, by key; `null` for what is gone. */
  give(): ReadonlyMap<string, string | null>;
  /** Takes up what another process has changed. */
  take(key: string, value: string | null): void;
}

/**
 * What goes over with a sandbox from one process to the next besides journal and kept values, such as how often a fault of the
 * line was met. It is written when a lease is given back, and only where it has changed; a process that dies takes it along.
 */
export class SharedState {
  readonly #parts = new Map<string, SharedStatePart>();
  /** What was read before its part was there. */
  readonly #early = new Map<string, string | null>();
  readonly #listeners = new Set<(kept: ReadonlyMap<string, string | null> | null) => void>();

  /** Adds a part; it takes up at once what was read for it. */
  add(part: SharedStatePart): void {
    this.#parts.set(part.name, part);
    for (const [name, value] of this.#early) {
      if (getPartName(name) !== part.name) continue;
      this.#early.delete(name);
      part.take(getKey(name), value);
    }
  }

  /** Calls back when another process has changed kept values: by name, or `null` when any may have changed. */
  onKept(listener: (kept: ReadonlyMap<string, string | null> | null) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Passes on what another process has kept, discarded and handed over. Takes the values by name, and whether these are all that
   * has changed and nothing was taken back; else anyone who listens has to read again.
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

  /** What is to be kept and discarded for the next process, by name. */
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
