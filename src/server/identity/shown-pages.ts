import { unfinishedSignInsMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/**
 * Numbers the pages of each sign-in as they are served. A browser that loads a page again sends its request first and only then
 * the beacon of the page that it leaves, so the beacon says which page was left: one that is not the latest was not left for
 * good (A41). Kept in memory, and carried over to the next process that answers for the sandbox; after a restart a beacon is taken
 * at its word.
 */
export class ShownPages {
  readonly #latest = new WeakMap<Sandbox, Map<string, number>>();
  /** What another process has to be told, by sign-in: the number, `null` for a sign-in that has finished. */
  readonly #untold = new WeakMap<Sandbox, Map<string, string | null>>();
  #served = 0;

  /** The number of the page that is served now. */
  next(sandbox: Sandbox, signInId: string): number {
    this.#served += 1;
    const ofSandbox = this.#of(sandbox);
    // The latest ones stand last, so that the first one is the one to forget.
    ofSandbox.delete(signInId);
    ofSandbox.set(signInId, this.#served);
    this.#tell(sandbox, signInId, String(this.#served));
    const [oldest] = ofSandbox.keys();
    if (ofSandbox.size > unfinishedSignInsMax && oldest !== undefined) ofSandbox.delete(oldest);
    return this.#served;
  }

  /** Forgets a sign-in that has finished: its pages have nothing to say any more. */
  forget(sandbox: Sandbox, signInId: string): void {
    if (this.#of(sandbox).delete(signInId)) this.#tell(sandbox, signInId, null);
  }

  /** Whether another page was served after the one that a beacon names. Takes the number as it was sent, `null` without one. */
  isOutdated(sandbox: Sandbox, signInId: string, shown: string | null): boolean {
    const latest = this.#of(sandbox).get(signInId);
    return latest !== undefined && shown !== null && shown !== String(latest);
  }

  #tell(sandbox: Sandbox, signInId: string, number: string | null): void {
    this.#untold.get(sandbox)?.set(signInId, number);
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
    this.#untold.set(sandbox, new Map());
    sandbox.recorder.carried.add({
      name: 'shown-pages',
      give: () => {
        const untold = this.#untold.get(sandbox) ?? new Map<string, string | null>();
        this.#untold.set(sandbox, new Map());
        return untold;
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
