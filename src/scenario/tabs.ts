import { NudgeLabError } from '../core/errors.ts';

/** The sign-ins of one scenario by tab: an answer goes to the named tab or to the latest sign-in. */
export class Tabs<T> {
  readonly #named = new Map<string, T>();
  #latest: T | null = null;

  /** Opens a tab; it is the latest now, and the one of its name. */
  open(name: string, tab: T): void {
    this.#latest = tab;
    this.#named.set(name, tab);
  }

  /** The same tabs, to go on with on their own. Takes how one of them is copied. */
  copy(copyOf: (tab: T) => T): Tabs<T> {
    const copy = new Tabs<T>();
    for (const [name, tab] of this.#named) {
      const copied = copyOf(tab);
      copy.#named.set(name, copied);
      if (tab === this.#latest) copy.#latest = copied;
    }
    return copy;
  }

  /** The tabs by name, in the order in which the names were first used. */
  entries(): readonly (readonly [string, T])[] {
    return [...this.#named];
  }

  /** The tab of a name, or the latest. Throws `prompt-not-open` when there is none. */
  get(name: string | undefined): T {
    const tab = name === undefined ? this.#latest : (this.#named.get(name) ?? null);
    if (tab !== null) return tab;
    throw new NudgeLabError('prompt-not-open', { message: `No sign-in is called "${name ?? 'latest'}".` });
  }
}
