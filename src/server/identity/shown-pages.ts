import { unfinishedSignInsMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/**
 * Numbers the pages of each sign-in when they are served. When a page is reloaded, its request arrives before the
 * unload beacon of the old page. The beacon therefore contains the page number, and a beacon of an outdated page is
 * ignored (A41). The numbers are kept in memory and passed on to the next process that serves the sandbox. After a
 * restart, every beacon is accepted.
 */
export class ShownPages {
  readonly #latest = new WeakMap<Sandbox, Map<string, number>>();
  /** Changes to pass on to other processes, by sign-in: the page number, or `null` if the sign-in has finished. */
  readonly #pending = new WeakMap<Sandbox, Map<string, string | null>>();
  #served = 0;

  /** Returns the number of the page that is being served. */
  next(sandbox: Sandbox, signInId: string): number {
    this.#served += 1;
    const ofSandbox = this.#of(sandbox);
    // Deleting the entry first moves it to the end, so the first entry is always the oldest.
    ofSandbox.delete(signInId);
    ofSandbox.set(signInId, this.#served);
    this.#tell(sandbox, signInId, String(this.#served));
    const [oldest] = ofSandbox.keys();
    if (ofSandbox.size > unfinishedSignInsMax && oldest !== undefined) ofSandbox.delete(oldest);
    return this.#served;
  }

  /** Deletes the page number of a finished sign-in, whose beacons are irrelevant. */
  forget(sandbox: Sandbox, signInId: string): void {
    if (this.#of(sandbox).delete(signInId)) this.#tell(sandbox, signInId, null);
  }

  /**
   * Returns `true` if a newer page was served than the one in a beacon. `shown` is `null` if the beacon has no number.
   */
  isOutdated(sandbox: Sandbox, signInId: string, pageNumber: string | null): boolean {
    const latest = this.#of(sandbox).get(signInId);
    return latest !== undefined && pageNumber !== null && pageNumber !== String(latest);
  }

  #tell(sandbox: Sandbox, signInId: string, number: string | null): void {
    this.#pending.get(sandbox)?.set(signInId, number);
  }

  #of(sandbox: Sandbox): Map<string, number> {
    const known = this.#latest.get(sandbox);
    if (known !== undefined) return known;
    const ofSandbox = new Map<string, number>();
    this.#latest.set(sandbox, ofSandbox);
    if (sandbox.recorder.store.sharing !== undefined) this.#carry(sandbox, ofSandbox);
    return ofSandbox;
  }

  #carry(sandbox: Sandbox, ofSandbox: Map<string, number>): void {
    this.#pending.set(sandbox, new Map());
    sandbox.recorder.carried.add({
      name: 'shown-pages',
      give: () => {
        const pending = this.#pending.get(sandbox) ?? new Map<string, string | null>();
        this.#pending.set(sandbox, new Map());
        return pending;
      },
      take: (signInId, value) => {
        if (value === null) {
          ofSandbox.delete(signInId);
          return;
        }
        ofSandbox.set(signInId, Number(value));
        this.#served = Math.max(this.#served, Number(value));
      },
    });
  }
}
