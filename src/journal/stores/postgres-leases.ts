import { afterDelay, stopwatch } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { randomId } from '../../core/ids.ts';
import type { AnnouncedAddress } from '../../core/served-address.ts';
import type { JournalEntry, JournalEvent } from '../journal-event.ts';
import type { KnownPlace, SharingListener, StoreSharing, TakenSandbox } from '../sharing.ts';
import type { StoreValues } from '../store.ts';
import type { HeldSandbox, PostgresCommits } from './postgres-commits.ts';
import type { PostgresLink } from './postgres-link.ts';
import type { PostgresReader } from './postgres-reader.ts';
import type { ChangeRow, PostgresSession, Signal } from './postgres-session.ts';

/**
 * Interval in milliseconds of real time for retrying the lease of another process; usually a signal arrives earlier.
 */
const askAgainMs = 100;

/** Maximum time in milliseconds of real time for another process to release a lease before its session is ended. */
const patienceMaxMs = 10_000;

/** Maximum number of missing entries to apply to a state; above it, loading a stored snapshot is faster. */
const caughtUpMax = 20_000;

/** Upper limit of sequence numbers and value versions. */
const beyondAll = 2_147_483_647;

/** Dependencies of a store's leases. */
export interface LeaseParts {
  readonly link: PostgresLink;
  readonly commits: PostgresCommits;
  readonly reader: PostgresReader;
  /** Values that only processes of the store read. */
  readonly secrets: Pick<StoreValues, 'put'>;
  /** Leases of this process, by sandbox id. */
  readonly sandboxes: Map<string, HeldSandbox>;
}

/** Leases of one process on the sandboxes of a database. Each lease is a lock of the session that writes. */
export class PostgresLeases implements StoreSharing {
  readonly #parts: LeaseParts;
  #listener: SharingListener | null = null;
  /** Callbacks of callers that wait for a sandbox, by its number. */
  readonly #waiting = new Map<number, Set<() => void>>();
  /** Followed sandboxes by number, with their id and number of subscriptions. */
  readonly #followed = new Map<number, { readonly id: string; times: number }>();
  /** Ids of all sandboxes with a past or present lease, by number, because removals are signaled by number. */
  readonly #ids = new Map<number, string>();

  /** URL of this process for other ones, which every new session states again. */
  #advertised: string | null = null;

  /** Creates the leases of a process. */
  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  listen(listener: SharingListener): void {
    this.#listener = listener;
  }

  async take(sandboxId: string, known: KnownPlace | null): Promise<TakenSandbox | null> {
    const { link, sandboxes, reader } = this.#parts;
    let number = known?.number ?? (await reader.findNumber(sandboxId));
    for (;;) {
      if (number === null) return null;
      const { session } = link;
      await this.#guarded(session, () => this.#lock(session, number as number));
      const rows = await this.#guarded(session, () => readChanges(session, number as number, known));
      const place = rows.find(({ kind }) => kind === 'place');
      if (place !== undefined && place.a > 0) {
        const lastSeq = place.a;
        sandboxes.set(sandboxId, { id: sandboxId, session, number, lastSeq, mark: Number(place.b) });
        this.#ids.set(number, sandboxId);
        return toTakenSandbox(number, place, rows, known);
      }
      await this.#guarded(session, () => session.unlock(number as number));
      const found = await reader.findNumber(sandboxId);
      number = found === number ? null : found;
    }
  }

  async giveBack(sandboxId: string): Promise<KnownPlace | null> {
    const { sandboxes, commits } = this.#parts;
    const lease = sandboxes.get(sandboxId);
    if (lease === undefined) return null;
    await commits.flushed();
    // A sandbox that was removed or lost in the meantime has no lease to release.
    if (sandboxes.get(sandboxId) !== lease) return null;
    sandboxes.delete(sandboxId);
    await this.#guarded(lease.session, () => lease.session.unlock(lease.number));
    return { number: lease.number, seq: lease.lastSeq, mark: lease.mark };
  }

  async reserve(sandboxId: string): Promise<void> {
    const { link, sandboxes, reader } = this.#parts;
    const { session } = link;
    const number =
      (await this.#guarded(session, () => session.begin(sandboxId))) ?? (await this.#abandoned(session, sandboxId));
    if (number === null || (await reader.lastSeq(sandboxId)) > 0) {
      throw new NudgeLabError('sandbox-exists', { message: `Sandbox "${sandboxId}" already exists.` });
    }
    sandboxes.set(sandboxId, { id: sandboxId, session, number, lastSeq: 0, mark: 0 });
    this.#ids.set(number, sandboxId);
  }

  async has(sandboxId: string): Promise<boolean> {
    return (await this.#parts.reader.lastSeq(sandboxId)) > 0;
  }

  versions(): Promise<ReadonlyMap<string, string>> {
    return this.#parts.reader.versions();
  }

  refuseAway(): void {
    void this.#parts.link.session;
  }

  async follow(sandboxId: string): Promise<() => void> {
    const number = await this.#parts.reader.findNumber(sandboxId);
    if (number === null) return () => undefined;
    const followed = this.#followed.get(number) ?? { id: sandboxId, times: 0 };
    this.#followed.set(number, followed);
    followed.times += 1;
    const { session } = this.#parts.link;
    if (followed.times === 1) await this.#guarded(session, () => session.follow(number, true));
    return () => {
      followed.times -= 1;
      if (followed.times > 0) return;
      this.#followed.delete(number);
      // A session that has ended follows no sandbox.
      session.follow(number, false).catch(() => undefined);
    };
  }

  async answerAt(addresses: readonly AnnouncedAddress[]): Promise<void> {
    const { session } = this.#parts.link;
    await this.#parts.reader.saveAddresses(addresses);
    await this.#guarded(session, () => session.tellHere());
  }

  addresses(): Promise<readonly AnnouncedAddress[]> {
    return this.#parts.reader.listAddresses();
  }

  async advertise(url: string): Promise<void> {
    this.#advertised = url;
    const { session } = this.#parts.link;
    await this.#guarded(session, () => session.advertise(url));
  }

  async findHolder(sandboxId: string): Promise<string | null> {
    const number = await this.#parts.reader.findNumber(sandboxId);
    if (number === null) return null;
    const { session } = this.#parts.link;
    const url = await this.#guarded(session, () => session.findHolder(number));
    return url === this.#advertised ? null : url;
  }

  async readSecret(): Promise<string> {
    return this.#parts.secrets.put('hand-over', randomId());
  }

  /** Forwards a signal of another process. */
  hear({ word, sandbox }: Signal): void {
    const id = this.#ids.get(sandbox) ?? this.#begunHere(sandbox);
    if (word === 'free') this.#wake(sandbox);
    else if (word === 'here') this.#listener?.addressed();
    else if (word === 'wrote') this.#tellWritten(this.#followed.get(sandbox)?.id);
    else if (id === undefined) return;
    else if (word === 'want') this.#listener?.wanted(id);
    else {
      this.#ids.delete(sandbox);
      this.#listener?.removed(id);
    }
  }

  /** Reports that all leases have ended with their session. */
  lose(reason: NudgeLabError): void {
    this.#listener?.lost(reason);
  }

  /** States through the current session what the previous one stated, and follows the sandboxes that it followed. */
  resume(): void {
    // A session that ends meanwhile is replaced by another one.
    if (this.#advertised !== null) this.#parts.link.session.advertise(this.#advertised).catch(() => undefined);
    for (const [number, { id }] of this.#followed) {
      const { session } = this.#parts.link;
      session.follow(number, true).then(
        () => this.#tellWritten(id),
        () => undefined,
      );
    }
  }

  /** Returns the id of a sandbox that was created by its first entry. */
  #begunHere(number: number): string | undefined {
    return [...this.#parts.sandboxes.values()].find((sandbox) => sandbox.number === number)?.id;
  }

  #tellWritten(id: string | undefined): void {
    if (id !== undefined) this.#listener?.written(id);
  }

  async #lock(session: PostgresSession, number: number): Promise<void> {
    const waitedMs = stopwatch();
    let patienceMs = patienceMaxMs;
    while (!(await session.lock(number))) {
      await this.#freed(number);
      if (waitedMs() < patienceMs) continue;
      await session.evict(number);
      patienceMs += patienceMaxMs;
    }
  }

  /** Resolves when a sandbox may be available. A crashed process sends no signal, so a timeout also resolves it. */
  #freed(number: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(number) ?? new Set();
    this.#waiting.set(number, waiting);
    const done = (): void => {
      cancel();
      waiting.delete(done);
      if (waiting.size === 0) this.#waiting.delete(number);
      resolve();
    };
    const cancel = afterDelay(askAgainMs, done);
    waiting.add(done);
    return promise;
  }

  #wake(number: number): void {
    for (const done of [...(this.#waiting.get(number) ?? [])]) done();
  }

  /**
   * Locks a sandbox that a crashed process reserved without a first entry, and returns its number; `null` if there is
   * none.
   */
  async #abandoned(session: PostgresSession, sandboxId: string): Promise<number | null> {
    const { reader } = this.#parts;
    const number = await reader.findNumber(sandboxId);
    if (number === null || (await reader.lastSeq(sandboxId)) > 0 || this.#parts.sandboxes.has(sandboxId)) return null;
    if (!(await this.#guarded(session, () => session.lock(number)))) return null;
    if ((await reader.lastSeq(sandboxId)) === 0) return number;
    await this.#guarded(session, () => session.unlock(number));
    return null;
  }

  /** Runs a task and abandons the session if a statement fails, because its effect is then unknown. */
  async #guarded<T>(session: PostgresSession, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (cause) {
      this.#parts.link.lose(session, cause);
      throw this.#parts.link.failure(cause);
    }
  }
}

function readChanges(
  session: PostgresSession,
  number: number,
  known: KnownPlace | null,
): Promise<readonly ChangeRow[]> {
  if (known?.number !== number) return session.changes(number, beyondAll, beyondAll, 0);
  return session.changes(number, known.seq, known.mark, caughtUpMax + 1);
}

function toTakenSandbox(
  number: number,
  { a, b, c, d }: ChangeRow,
  rows: readonly ChangeRow[],
  known: KnownPlace | null,
): TakenSandbox {
  const place = { number, seq: a, mark: Number(b) };
  const entries = rows.filter(({ kind }) => kind === 'entry');
  const servers = rows.find(({ kind }) => kind === 'servers');
  const taken = { place, foldedSeq: Number(d ?? 0), addressesVersion: `${servers?.a} ${servers?.c}` };
  if (known?.number !== number) return { ...taken, isKnown: false, changes: null };
  if (entries.length > caughtUpMax) return { ...taken, isKnown: true, changes: null };
  const kept = rows.filter(({ kind }) => kind === 'kept').map((row) => [row.c, row.d] as const);
  return {
    ...taken,
    isKnown: true,
    changes: { entries: entries.map(toEntry), kept: known.mark < Number(c) ? null : new Map(kept) },
  };
}

function toEntry({ a, b, c, d }: ChangeRow): JournalEntry {
  return { seq: a, atMs: Number(b), event: { type: c, ...JSON.parse(d ?? '{}') } as JournalEvent };
}
