import { afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { JournalEntry } from '../journal-event.ts';
import type { PostgresLink } from './postgres-link.ts';
import type { PostgresSession, WrittenRows } from './postgres-session.ts';

/** Sandbox whose lease this process has. */
export interface HeldSandbox {
  readonly id: string;
  /** Session with the lock. */
  readonly session: PostgresSession;
  /** Number of the sandbox in the database; 0 before its first entry. */
  number: number;
  lastSeq: number;
  /** Version of the last change to a stored value. */
  mark: number;
}

type KeptRow = { readonly held: HeldSandbox; readonly name: string; readonly value: string | null; mark: number };

interface Group {
  readonly session: PostgresSession;
  readonly entries: { readonly held: HeldSandbox; readonly entry: JournalEntry }[];
  readonly kept: Map<string, KeptRow>;
  readonly committed: PromiseWithResolvers<void>;
}

/**
 * Number of later changes after which records of discarded values are removed, and interval of the removals in changes.
 */
const rememberedChanges = 5_000;
const clearedEvery = 1_000;

/**
 * Writes groups one after the other, each by one statement, while the next group is collected. If a group fails, its
 * session and all pending writes are abandoned.
 */
export class PostgresCommits {
  readonly #link: PostgresLink;
  #gathering: Group | null = null;
  #writing: Group | null = null;

  /** Creates the queue for the connection that provides the session. */
  constructor(link: PostgresLink) {
    this.#link = link;
  }

  /** Queues an entry. */
  append(held: HeldSandbox, entry: JournalEntry): void {
    this.#getGroup(held).entries.push({ held, entry });
  }

  /** Queues a value to store; `null` discards it. Resolves when it is durable. Throws `RangeError` for invalid text. */
  keep(held: HeldSandbox, name: string, value: string | null): Promise<void> {
    // The database rejects both kinds of characters, which would fail a whole group.
    const text = `${name}${value ?? ''}`;
    if (text.includes('\0') || !text.isWellFormed())
      throw new RangeError(`The value ${JSON.stringify(name)} must be a string.`);
    held.mark += 1;
    const group = this.#getGroup(held);
    group.kept.set(`${held.id}\n${name}`, { held, name, value, mark: held.mark });
    return group.committed.promise;
  }

  /** Returns the promise of all queued writes; `null` if there are none. Rejects with `store-unavailable`. */
  flushed(): Promise<void> | null {
    return (this.#gathering ?? this.#writing)?.committed.promise ?? null;
  }

  /** Rejects all pending writes of a session that has ended. */
  abandon(cause: unknown): void {
    const groups = [this.#writing, this.#gathering];
    this.#writing = null;
    this.#gathering = null;
    for (const group of groups) group?.committed.reject(cause);
  }

  #getGroup({ session }: HeldSandbox): Group {
    if (this.#gathering !== null) return this.#gathering;
    const committed = Promise.withResolvers<void>();
    // Waiting callers receive the failure. If there are none, the next write throws it.
    committed.promise.catch(() => undefined);
    const group: Group = { session, entries: [], kept: new Map(), committed };
    this.#gathering = group;
    // The writes of all requests that have arrived by now form one group.
    if (this.#writing === null) afterPendingInput(() => this.#writeNext());
    return group;
  }

  #writeNext(): void {
    const group = this.#gathering;
    if (group === null || this.#writing !== null) return;
    this.#gathering = null;
    this.#writing = group;
    this.#write(group).then(
      () => {
        if (this.#writing === group) this.#writing = null;
        group.committed.resolve();
        this.#writeNext();
      },
      (cause: unknown) => {
        // Losing the session rejects both this group and the next one.
        this.#link.lose(group.session, cause);
        group.committed.reject(this.#link.failure(cause));
      },
    );
  }

  async #write(group: Group): Promise<void> {
    for (const { held } of group.entries) if (held.number === 0) await begin(held);
    await group.session.write(toRows(group));
    for (const { held, mark } of group.kept.values()) {
      if (mark % clearedEvery === 0) await clearDiscarded(group.session, held.number, mark - rememberedChanges);
    }
  }
}

async function begin(held: HeldSandbox): Promise<void> {
  const number = await held.session.begin(held.id);
  if (number === null) throw new NudgeLabError('sandbox-exists');
  held.number = number;
}

function toRows({ entries, kept }: Group): WrittenRows {
  const events = entries.map(({ entry }) => entry.event);
  return {
    entries: {
      sandbox: entries.map(({ held }) => held.number),
      seq: entries.map(({ entry }) => entry.seq),
      atMs: entries.map(({ entry }) => entry.atMs),
      type: events.map(({ type }) => type),
      body: events.map(({ type: _beside, ...rest }) => JSON.stringify(rest)),
    },
    kept: Array.from(kept.values(), ({ held, name, value, mark }) => ({ sandbox: held.number, name, value, mark })),
  };
}

async function clearDiscarded(session: PostgresSession, sandbox: number, floor: number): Promise<void> {
  if (floor <= 0) return;
  await session.run(
    `WITH raised AS (UPDATE sandbox SET kept_floor = $2 WHERE number = $1)
     DELETE FROM kept WHERE sandbox = $1 AND value IS NULL AND mark <= $2`,
    [sandbox, floor],
  );
}
