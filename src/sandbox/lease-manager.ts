import { afterDelay, stopwatch } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';
import type { KnownPlace, StoreSharing, TakenSandbox } from '../journal/sharing.ts';

/**
 * Minimum duration of a lease, in milliseconds of real time, so requests that arrive together are handled together.
 */
const shortestMs = 4;

/** Time during which new requests are admitted while another process waits, in milliseconds of real time. */
const longestMs = 20;

/** Grace period for in-flight requests after new ones are no longer admitted, in milliseconds of real time. */
const graceMs = 2_000;

/** Maximum number of leases held at the same time. The database supports some thousands. */
const leasesMax = 500;

/** Callbacks through which the lease manager controls the open sandboxes. */
export interface LeaseHooks {
  /** Opens a sandbox after its lease was acquired, or updates it. */
  takeUp(sandboxId: string, taken: TakenSandbox): Promise<void>;
  /** Writes the shared state of a sandbox that is not in its journal. */
  handOver(sandboxId: string): Promise<void>;
  /** Drops a sandbox. Code that still uses it receives the reason as an error. */
  drop(sandboxId: string, reason: NudgeLabError): void;
}

/** Admission of a request to a sandbox. No other process writes to the sandbox until it ends. */
export interface Visit {
  readonly sandboxId: string;
  /** Ends the admission. Further calls have no effect. */
  leave(): void;
}

interface Place {
  readonly id: string;
  /**
   * Lease status. `away`: another process may hold it. `held`: this process holds it. `ending`: held, but closed to
   * new requests.
   */
  stage: 'away' | 'held' | 'ending';
  visits: number;
  wanted: boolean;
  known: KnownPlace | null;
  /** Status change in progress, or `null` if there is none. */
  changing: Promise<void> | null;
  heldMs: () => number;
  cancel: () => void;
  /** Number of times the lease was acquired. An admission belongs to one lease. */
  turn: number;
  /** Resolves when the ending lease has ended, or `null` if the lease is not ending. */
  ended: PromiseWithResolvers<void> | null;
}

const never = (): number => 0;
const nothing = (): void => undefined;

/**
 * Admits requests to sandboxes that several processes share. One process at a time holds the lease of a sandbox. A
 * process keeps the lease while no other process requests it, and releases it shortly after one does. A request
 * therefore never reads a state older than an acknowledged write.
 */
export class LeaseManager {
  readonly #sharing: StoreSharing;
  readonly #hooks: LeaseHooks;
  readonly #places = new Map<string, Place>();
  /** Number of leases held. */
  #leases = 0;

  constructor(sharing: StoreSharing, hooks: LeaseHooks) {
    this.#sharing = sharing;
    this.#hooks = hooks;
  }

  /**
   * Admits a request to a sandbox. Throws `sandbox-not-found`, `store-unavailable`, or the error of opening the
   * sandbox.
   */
  async enter(id: string): Promise<Visit> {
    for (;;) {
      const place = this.#getPlace(id);
      if (place.stage === 'held') return this.#visit(place);
      if (place.stage === 'ending') await place.ended?.promise;
      else await this.#change(place, () => this.#take(place));
    }
  }

  /** Returns `true` if this process has the lease of a sandbox or is about to get it. */
  isHere(id: string): boolean {
    const place = this.#places.get(id);
    return place !== undefined && (place.stage !== 'away' || place.changing !== null);
  }

  /** Reserves a new sandbox and admits its creator. Throws `sandbox-exists` or `store-unavailable`. */
  async begin(id: string): Promise<Visit> {
    await this.#sharing.reserve(id);
    return this.adopt(id);
  }

  /** Admits a request to a sandbox that the store has just created for this process. */
  adopt(id: string): Visit {
    const place = this.#getPlace(id);
    this.#hold(place);
    return this.#visit(place);
  }

  /** Handles the request of another process for a lease. */
  want(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    place.wanted = true;
    this.#consider(place);
  }

  /** Drops the lease of a sandbox that was removed, in this process or in another one. */
  forget(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#leave(place);
  }

  /** Drops all leases after the database connection was lost. */
  loseAll(reason: NudgeLabError): void {
    for (const place of this.#places.values()) {
      this.#hooks.drop(place.id, reason);
      this.#leave(place);
    }
    this.#places.clear();
  }

  /** Releases all leases, such as before the store is closed. */
  async giveAllBack(): Promise<void> {
    const held = [...this.#places.values()].filter(({ stage }) => stage === 'held');
    await Promise.allSettled(held.map((place) => this.#giveBack(place)));
  }

  #getPlace(id: string): Place {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place: Place = {
      id,
      stage: 'away',
      visits: 0,
      wanted: false,
      known: null,
      changing: null,
      heldMs: never,
      cancel: nothing,
      turn: 0,
      ended: null,
    };
    this.#places.set(id, place);
    return place;
  }

  /** Runs one status change of a lease at a time. Callers during a change wait for it. */
  #change(place: Place, step: () => Promise<void>): Promise<void> {
    place.changing ??= step().finally(() => {
      place.changing = null;
    });
    return place.changing;
  }

  async #take(place: Place): Promise<void> {
    if (place.stage !== 'away') return;
    place.wanted = false;
    try {
      const taken = await this.#sharing.take(place.id, place.known);
      if (taken === null)
        throw new NudgeLabError('sandbox-not-found', { message: `Sandbox "${place.id}" does not exist.` });
      await this.#takeUp(place, taken);
    } catch (error) {
      if (this.#places.get(place.id) === place) this.#places.delete(place.id);
      const reason = error instanceof NudgeLabError ? error : new NudgeLabError('internal-error', { cause: error });
      this.#hooks.drop(place.id, reason);
      throw error;
    }
    // The database session may have ended in the meantime, and the lease with it.
    if (this.#places.get(place.id) === place) this.#hold(place);
  }

  async #takeUp(place: Place, taken: TakenSandbox): Promise<void> {
    try {
      await this.#hooks.takeUp(place.id, taken);
    } catch (error) {
      await this.#sharing.giveBack(place.id).catch(nothing);
      throw error;
    }
  }

  #hold(place: Place): void {
    place.stage = 'held';
    place.turn += 1;
    place.heldMs = stopwatch();
    this.#leases += 1;
    // The map is ordered by time of use, so the first idle entry is the least recently used one.
    this.#places.delete(place.id);
    this.#places.set(place.id, place);
    if (this.#leases > leasesMax) this.#giveOldestBack();
    if (place.wanted) this.#consider(place);
  }

  #giveOldestBack(): void {
    for (const place of this.#places.values()) {
      if (place.stage !== 'held' || place.visits > 0) continue;
      this.#giveBack(place).catch(nothing);
      return;
    }
  }

  #visit(place: Place): Visit {
    place.visits += 1;
    const { turn } = place;
    let here = true;
    const leave = (): void => {
      if (!here || place.turn !== turn) return;
      here = false;
      place.visits -= 1;
      if (place.visits === 0 && (place.wanted || place.stage === 'ending')) this.#consider(place);
    };
    return { sandboxId: place.id, leave };
  }

  /** Decides whether to release a lease that another process requests, now or later. */
  #consider(place: Place): void {
    if (place.stage === 'away' || this.#places.get(place.id) !== place) return;
    // In-flight requests keep their full grace period, even if other processes request the lease repeatedly.
    if (place.stage === 'ending' && place.visits > 0) return;
    place.cancel();
    place.cancel = nothing;
    const heldMs = place.heldMs();
    if (place.visits === 0 && (place.stage === 'ending' || heldMs >= shortestMs)) {
      this.#giveBack(place).catch(nothing);
      return;
    }
    if (heldMs < longestMs) {
      const untilMs = place.visits === 0 ? shortestMs : longestMs;
      place.cancel = afterDelay(untilMs - heldMs, () => this.#consider(place));
      return;
    }
    this.#end(place);
    place.cancel = afterDelay(graceMs, () => this.#overdue(place));
  }

  /**
   * Revokes the lease from requests that exceed the grace period, so their next operation fails and another process
   * can continue.
   */
  #overdue(place: Place): void {
    if (place.stage !== 'ending' || place.visits === 0) return;
    this.#hooks.drop(
      place.id,
      new NudgeLabError('store-moved', { headers: { 'Retry-After': String(retryAfterDefaultSeconds) } }),
    );
    place.known = null;
    place.visits = 0;
    place.turn += 1;
    this.#giveBack(place).catch(nothing);
  }

  #end(place: Place): void {
    place.stage = 'ending';
    place.ended ??= Promise.withResolvers();
  }

  #giveBack(place: Place): Promise<void> {
    this.#end(place);
    return this.#change(place, async () => {
      try {
        await this.#hooks.handOver(place.id);
        place.known = await this.#sharing.giveBack(place.id);
      } finally {
        this.#leave(place);
      }
    });
  }

  /** Marks a lease as released. */
  #leave(place: Place): void {
    place.cancel();
    place.wanted = false;
    if (place.stage !== 'away') this.#leases -= 1;
    place.stage = 'away';
    place.ended?.resolve();
    place.ended = null;
  }
}
