import { NudgeLabError } from '../core/errors.ts';

/** Tabs of one scenario. An action applies to the named tab, or to the one with the latest sign-in. */
export class Tabs<T> {
  readonly #named = new Map<string, T>();
  #latest: T | null = null;

  /** Opens a tab under a name and makes it the latest one. */
  open(name: string, tab: T): void {
    this.#latest = tab;
    this.#named.set(name, tab);
  }

  /** Returns an independent copy. `copyOf` copies one tab. */
  copy(copyOf: (tab: T) => T): Tabs<T> {
    const copy = new Tabs<T>();
    for (const [name, tab] of this.#named) {
      const copied = copyOf(tab);
      copy.#named.set(name, copied);
      if (tab === this.#latest) copy.#latest = copied;
    }
    return copy;
  }

  /** Returns the tabs by name, in the order in which the names were first used. */
  entries(): readonly (readonly [string, T])[] {
    return [...this.#named];
  }

  /** Returns the tab with a name, or the latest one. Throws `prompt-not-open` if there is none. */
  get(name: string | undefined): T {
    const tab = name === undefined ? this.#latest : (this.#named.get(name) ?? null);
    if (tab !== null) return tab;
    throw new NudgeLabError('prompt-not-open', { message: `No sign-in is named "${name ?? 'latest'}".` });
  }
}
