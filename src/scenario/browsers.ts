/** What one browser keeps over its sign-ins, and which of its tabs are open. */
interface Running<T> {
  kept: T;
  readonly tabs: Set<string>;
  /** Whether its last tab was closed: what lasts only as long as the browser is gone when it is started again. */
  ended: boolean;
}

/** How a browser is made, started again, and copied. */
export interface BrowserKind<T> {
  /** What a new one keeps: nothing. */
  make(): T;
  /** What is left of what it kept once it was closed and is started again. */
  restart(kept: T): T;
  copy?(kept: T): T;
}

/**
 * The browsers in which users of applications sign in, by device and browser: tabs of one share its session, and what lasts as long
 * as the browser ends when its last tab is closed. A tab that comes back brings all back, as browsers do that restore their tabs.
 */
export class Browsers<T> {
  readonly #kind: BrowserKind<T>;
  readonly #all = new Map<string, Running<T>>();

  constructor(kind: BrowserKind<T>) {
    this.#kind = kind;
  }

  /** Opens a tab, and starts the browser again where it had ended. Returns what it keeps. */
  open(browser: string, tab: string): T {
    const known = this.#all.get(browser);
    const running = known ?? { kept: this.#kind.make(), tabs: new Set<string>(), ended: false };
    if (known === undefined) this.#all.set(browser, running);
    if (running.ended) running.kept = this.#kind.restart(running.kept);
    running.ended = false;
    running.tabs.add(tab);
    return running.kept;
  }

  /** A tab was closed; with the last one the browser ends. */
  close(browser: string, tab: string): void {
    const running = this.#running(browser);
    running.tabs.delete(tab);
    running.ended = running.tabs.size === 0;
  }

  /** A tab goes on, restored where it was closed. Returns what the browser keeps. */
  comeBack(browser: string, tab: string): T {
    const running = this.#running(browser);
    running.tabs.add(tab);
    running.ended = false;
    return running.kept;
  }

  /** What a browser keeps from now on. */
  keep(browser: string, kept: T): void {
    this.#running(browser).kept = kept;
  }

  /** The same browsers, to go on with on their own. */
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
