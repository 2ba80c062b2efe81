import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { storeError } from './sqlite-errors.ts';

/**
 * Turns of the event loop that a group gathers for. Clients answer within a turn or two of the answers before, so waiting for a
 * few lets one sync serve them all; a turn without work costs microseconds, against a hundred and more for a sync.
 */
const gatheringTurns = 3;

/** A client that is alone gains nothing by waiting: after a group of one write the next one gathers for one turn alone. */
const turnsWhenAlone = 1;

/** One statement, ready to run. */
type Write = () => void;

interface Group {
  readonly writes: Write[];
  readonly committed: PromiseWithResolvers<void>;
}

/**
 * Commits in groups: all that is queued while the requests that have arrived are handled becomes one transaction, synced once.
 * The more there is to do at a time, the less each part of it costs. After a failure nothing is taken any more.
 */
export class GroupCommit {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #group: Group | null = null;
  /** How many writes the group before had. */
  #latestSize = 0;
  #failure: NudgeLabError | null = null;

  /** Takes the database and its path, for messages. */
  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
    this.#begin = db.prepare('BEGIN');
    this.#commit = db.prepare('COMMIT');
  }

  /** Queues statements, each of which runs once, in order, all in one transaction. Throws `store-failed` after a failure. */
  add(...writes: readonly Write[]): Promise<void> {
    this.refuseFailed();
    this.#group ??= this.#open();
    for (const write of writes) this.#group.writes.push(write);
    return this.#group.committed.promise;
  }

  /** The promise of the group that waits, `null` when none does. It rejects with `store-failed`. */
  flushed(): Promise<void> | null {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return this.#group?.committed.promise ?? null;
  }

  /** Throws `store-failed` after a failure. */
  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Commits what is queued at once, as reading wants. Throws `store-failed`, also when an earlier group has failed. */
  commitNow(): void {
    this.#commitGroup();
    this.refuseFailed();
  }

  /** Takes nothing more: the file is about to be released. */
  end(): void {
    this.#failure ??= new NudgeLabError('store-failed', { message: `${this.#path} is closed.` });
  }

  #open(): Group {
    const committed = Promise.withResolvers<void>();
    // Anyone who waits hears of a failure; when no one does, the next write hears of it.
    committed.promise.catch(() => undefined);
    this.#commitAfter(this.#latestSize > 1 ? gatheringTurns : turnsWhenAlone);
    return { writes: [], committed };
  }

  #commitAfter(turns: number): void {
    afterPendingInput(() => (turns > 1 ? this.#commitAfter(turns - 1) : this.#commitGroup()));
  }

  #commitGroup(): void {
    const group = this.#group;
    if (group === null) return;
    this.#group = null;
    this.#latestSize = group.writes.length;
    try {
      this.#run(group.writes);
    } catch (cause) {
      this.#failure = this.#failed(cause);
      group.committed.reject(this.#failure);
      return;
    }
    group.committed.resolve();
  }

  /** A single statement is a transaction of its own. */
  #run(writes: readonly Write[]): void {
    if (writes.length === 1) {
      for (const write of writes) write();
      return;
    }
    this.#begin.run();
    for (const write of writes) write();
    this.#commit.run();
  }

  #failed(cause: unknown): NudgeLabError {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    return new NudgeLabError('store-failed', { message: storeError(this.#path, cause, 'store-failed').message, cause });
  }
}
