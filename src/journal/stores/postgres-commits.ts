import { afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { JournalEntry } from '../journal-event.ts';
import type { PostgresLink } from './postgres-link.ts';
import type { PostgresSession, WrittenRows } from './postgres-session.ts';

/** A sandbox that this process may write to. */
export interface HeldSandbox {
  readonly id: string;
  /** The session whose lock it is. */
  readonly session: PostgresSession;
  /** Its number in the database; 0 until it has been begun there. */
  number: number;
  lastSeq: number;
  /** Mark of the last change of a kept value. */
  mark: number;
}

type KeptRow = { readonly held: HeldSandbox; readonly name: string; readonly value: string | null; mark: number };

interface Group {
  readonly session: PostgresSession;
  readonly entries: { readonly held: HeldSandbox; readonly entry: JournalEntry }[];
  readonly kept: Map<string, KeptRow>;
  readonly committed: PromiseWithResolvers<void>;
}

/** What was discarded is remembered over so many later changes, and cleared away once in so many. */
const rememberedChanges = 5_000;
const clearedEvery = 1_000;

/**
 * Writes in groups, one after the other, each by one statement: while a group is on its way the next one gathers. When a group
 * fails, its session is given up with all that waits for it.
 */
export class PostgresCommits {
  readonly #link: PostgresLink;
  #gathering: Group | null = null;
  #writing: Group | null = null;

  /** Takes what has the session. */
  constructor(link: PostgresLink) {
    this.#link = link;
  }

  /** Queues an entry. */
  append(held: HeldSandbox, entry: JournalEntry): void {
    this.#groupOf(held).entries.push({ held, entry });
  }

  /** Queues a kept value, `null` for one that is discarded. Resolves when it is safe. Throws `RangeError` for no text. */
  keep(held: HeldSandbox, name: string, value: string | null): Promise<void> {
    // The database takes neither, and would fail a whole group.
    const text = `${name}${value ?? ''}`;
    if (text.includes('\0') || !text.isWellFormed())
      throw new RangeError(`The value ${JSON.stringify(name)} is no text.`);
    held.mark += 1;
    const group = this.#groupOf(held);
    group.kept.set(`${held.id}\n${name}`, { held, name, value, mark: held.mark });
    return group.committed.promise;
  }

  /** The promise of all that is queued, `null` when nothing is. It rejects with `store-unavailable`. */
  flushed(): Promise<void> | null {
    return (this.#gathering ?? this.#writing)?.committed.promise ?? null;
  }

  /** Rejects everyone who waits for a session that has ended. */
  abandon(cause: unknown): void {
    const groups = [this.#writing, this.#gathering];
    this.#writing = null;
    this.#gathering = null;
    for (const group of groups) group?.committed.reject(cause);
  }

  #groupOf({ session }: HeldSandbox): Group {
    if (this.#gathering !== null) return this.#gathering;
    const committed = Promise.withResolvers<void>();
    // Anyone who waits hears of a failure; when no one does, the next write hears of it.
    committed.promise.catch(() => undefined);
    const group: Group = { session, entries: [], kept: new Map(), committed };
    this.#gathering = group;
    // All that the requests do which have arrived by now becomes one group.
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
        // Giving the session up rejects this group and the next one with it.
        this.#link.lose(group.session, cause);
        group.committed.reject(this.#link.failure(cause));
      },
    );
  }

  async #write(group: Group): Promise<void> {
    for (const { held } of group.entries) if (held.number === 0) await begin(held);
    await group.session.write(rowsOf(group));
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

function rowsOf({ entries, kept }: Group): WrittenRows {
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
