import { unfinishedSignInsMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/**
 * Numbers the pages of each sign-in as they are served. A browser that loads a page again sends its request first and only then
 * the beacon of the page that it leaves, so the beacon says which page was left: one that is not the latest was not left for
 * good (A41). Kept in memory alone: after a restart a beacon is taken at its word.
 */
export class ShownPages {
  readonly #latest = new WeakMap<Sandbox, Map<string, number>>();
  #served = 0;

  /** The number of the page that is served now. */
  next(sandbox: Sandbox, signInId: string): number {
    this.#served += 1;
    const ofSandbox = this.#latest.get(sandbox) ?? new Map<string, number>();
    this.#latest.set(sandbox, ofSandbox);
    // The latest ones stand last, so that the first one is the one to forget.
    ofSandbox.delete(signInId);
    ofSandbox.set(signInId, this.#served);
    const [oldest] = ofSandbox.keys();
    if (ofSandbox.size > unfinishedSignInsMax && oldest !== undefined) ofSandbox.delete(oldest);
    return this.#served;
  }

  /** Forgets a sign-in that has finished: its pages have nothing to say any more. */
  forget(sandbox: Sandbox, signInId: string): void {
    this.#latest.get(sandbox)?.delete(signInId);
  }

  /** Whether another page was served after the one that a beacon names. Takes the number as it was sent, `null` without one. */
  isOutdated(sandbox: Sandbox, signInId: string, shown: string | null): boolean {
    const latest = this.#latest.get(sandbox)?.get(signInId);
    return latest !== undefined && shown !== null && shown !== String(latest);
  }
}
