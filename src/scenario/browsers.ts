/** Stored data of one browser, and its open tabs. */
interface Running<T> {
  kept: T;
  readonly tabs: Set<string>;
  /** True if the last tab was closed. Session data is lost when the browser is started again. */
  ended: boolean;
}

/** Functions that create, restart and copy the data of a browser. */
export interface BrowserKind<T> {
  /** Creates the empty data of a new browser. */
  make(): T;
  /** Returns the data that remains after the browser was closed and started again. */
  restart(kept: T): T;
  copy?(kept: T): T;
}

/**
 * Browsers of application users, by device and browser. The tabs of a browser share its session, and session data
 * ends with the last tab. Reopening a tab restores everything, as in browsers that restore their tabs.
 */
export class Browsers<T> {
  readonly #kind: BrowserKind<T>;
  readonly #all = new Map<string, Running<T>>();

  constructor(kind: BrowserKind<T>) {
    this.#kind = kind;
  }

  /** Opens a tab, restarts the browser if it had ended, and returns its data. */
  open(browser: string, tab: string): T {
    const known = this.#all.get(browser);
    const running = known ?? { kept: this.#kind.make(), tabs: new Set<string>(), ended: false };
    if (known === undefined) this.#all.set(browser, running);
    if (running.ended) running.kept = this.#kind.restart(running.kept);
    running.ended = false;
    running.tabs.add(tab);
    return running.kept;
  }

  /** Closes a tab. The browser ends with its last tab. */
  close(browser: string, tab: string): void {
    const running = this.#running(browser);
    running.tabs.delete(tab);
    running.ended = running.tabs.size === 0;
  }

  /** Continues in a tab, which is restored if it was closed. Returns the data of the browser. */
  comeBack(browser: string, tab: string): T {
    const running = this.#running(browser);
    running.tabs.add(tab);
    running.ended = false;
    return running.kept;
  }

  /** Replaces the data of a browser. */
  keep(browser: string, kept: T): void {
    this.#running(browser).kept = kept;
  }

  /** Returns an independent copy of the browsers. */
  copy(): Browsers<T> {
    const copy = new Browsers(this.#kind);
    for (const [name, { kept, tabs, ended }] of this.#all) {
      copy.#all.set(name, { kept: this.#kind.copy?.(kept) ?? kept, tabs: new Set(tabs), ended });
    }
    return copy;
  }

  #running(browser: string): Running<T> {
    const running = this.#all.get(browser);
    if (running === undefined) throw new RangeError(`No tab of the browser ${browser} was opened.`);
    return running;
  }
}
