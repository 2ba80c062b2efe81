import { afterDelay, stopwatch } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';
import type { KnownPlace, StoreSharing, TakenSandbox } from '../journal/sharing.ts';

/** How long a lease is held at least, so that what arrives together is answered together, in ms of real time. */
const shortestMs = 4;

/** How long new requests are let in while another process waits, in ms of real time. */
const longestMs = 20;

/** How long running requests are waited for once no new ones are let in, in ms of real time. */
const graceMs = 2_000;

/** Leases held at once; the database has room for some thousand. */
const leasesMax = 500;

/** What the manager asks of those who keep the sandboxes. */
export interface LeaseHooks {
  /** Opens a sandbox that was taken, or brings it up to date. */
  takeUp(sandboxId: string, taken: TakenSandbox): Promise<void>;
  /** Writes what a sandbox has to hand over besides its journal. */
  handOver(sandboxId: string): Promise<void>;
  /** Forgets a sandbox; anyone who still holds it is told why. */
  drop(sandboxId: string, reason: NudgeLabError): void;
}

/** A stay in a sandbox, during which no other process writes to it. */
export interface Visit {
  readonly sandboxId: string;
  /** Ends it; a second call changes nothing. */
  leave(): void;
}

interface Place {
  readonly id: string;
  /** `away`: another process may have it. `held`: ours. `ending`: ours, and no one is let in any more. */
  stage: 'away' | 'held' | 'ending';
  visits: number;
  wanted: boolean;
  known: KnownPlace | null;
  /** The step that is in progress. */
  changing: Promise<void> | null;
  heldMs: () => number;
  cancel: () => void;
  /** How often it was taken: a stay is one of one lease. */
  turn: number;
  /** Resolves when a lease that is ending has ended. */
  ended: PromiseWithResolvers<void> | null;
}

const never = (): number => 0;
const nothing = (): void => undefined;

/**
 * Lets requests into sandboxes that several processes answer for: one process at a time has a sandbox, keeps it while no one
 * else asks, and hands it over soon after someone does. What a request reads is so never older than what was acknowledged.
 */
export class LeaseManager {
  readonly #sharing: StoreSharing;
  readonly #hooks: LeaseHooks;
  readonly #places = new Map<string, Place>();
  /** How many are held. */
  #leases = 0;

  /** Takes how the processes agree, and those who keep the sandboxes. */
  constructor(sharing: StoreSharing, hooks: LeaseHooks) {
    this.#sharing = sharing;
    this.#hooks = hooks;
  }

  /** Lets a request into a sandbox. Throws `sandbox-not-found`, `store-unavailable` and what opening the sandbox throws. */
  async enter(id: string): Promise<Visit> {
    for (;;) {
      const place = this.#placeOf(id);
      if (place.stage === 'held') return this.#visit(place);
      if (place.stage === 'ending') await place.ended?.promise;
      else await this.#change(place, () => this.#take(place));
    }
  }

  /** Begins a sandbox and lets its maker in. Throws `sandbox-exists`, `store-unavailable`. */
  async begin(id: string): Promise<Visit> {
    await this.#sharing.reserve(id);
    return this.adopt(id);
  }

  /** Lets someone into a sandbox that the store has just begun for this process. */
  adopt(id: string): Visit {
    const place = this.#placeOf(id);
    this.#hold(place);
    return this.#visit(place);
  }

  /** Someone else wants a sandbox. */
  want(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    place.wanted = true;
    this.#consider(place);
  }

  /** A sandbox was removed here or elsewhere. */
  forget(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#leave(place);
  }

  /** All leases have ended with the connection. */
  loseAll(reason: NudgeLabError): void {
    for (const place of this.#places.values()) {
      this.#hooks.drop(place.id, reason);
      this.#leave(place);
    }
    this.#places.clear();
  }

  /** Gives every sandbox back, as before the store is closed. */
  async giveAllBack(): Promise<void> {
    const held = [...this.#places.values()].filter(({ stage }) => stage === 'held');
    await Promise.allSettled(held.map((place) => this.#giveBack(place)));
  }

  #placeOf(id: string): Place {
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

  /** Steps of one place follow each other; anyone who comes meanwhile waits for the one that is in progress. */
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
        throw new NudgeLabError('sandbox-not-found', { message: `There is no sandbox "${place.id}".` });
      await this.#takeUp(place, taken);
    } catch (error) {
      if (this.#places.get(place.id) === place) this.#places.delete(place.id);
      const reason = error instanceof NudgeLabError ? error : new NudgeLabError('internal-error', { cause: error });
      this.#hooks.drop(place.id, reason);
      throw error;
    }
    // The session may have ended meanwhile, and the place with it.
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
    // The latest stand last, so that the first one to be found is one that no one asked for in a while.
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

  /** Decides what becomes of a sandbox that another process wants: at once, or later. */
  #consider(place: Place): void {
    if (place.stage === 'away' || this.#places.get(place.id) !== place) return;
    // Requests that still run have until the end of their grace, however often others ask meanwhile.
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

  /** Requests that take too long lose the sandbox: what they do next is refused, and another process goes on. */
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

  /** From here on a sandbox is another's. */
  #leave(place: Place): void {
    place.cancel();
    place.wanted = false;
    if (place.stage !== 'away') this.#leases -= 1;
    place.stage = 'away';
    place.ended?.resolve();
    place.ended = null;
  }
}
