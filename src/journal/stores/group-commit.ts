import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { storeError } from './sqlite-errors.ts';

/**
 * Number of event loop turns for collecting a group. Clients send their next request within a turn or two of a
 * response, so one sync can serve them all. A turn without work takes microseconds, compared to at least a hundred for
 * a sync.
 */
const gatheringTurns = 3;

/** Number of turns after a group with one write: a single client gains nothing from waiting. */
const turnsWhenAlone = 1;

/** Prepared statement with its values. */
type Write = () => void;

interface Group {
  readonly writes: Write[];
  readonly committed: PromiseWithResolvers<void>;
}

/**
 * Commits writes in groups: everything queued while pending requests are handled becomes one transaction with one sync,
 * so the cost per write falls as the load rises. After a failure, all writes are rejected.
 */
export class GroupCommit {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #group: Group | null = null;
  /** Number of writes in the previous group. */
  #latestSize = 0;
  #failure: NudgeLabError | null = null;

  /** Creates the queue for a database; `path` is used in messages. */
  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
    this.#begin = db.prepare('BEGIN');
    this.#commit = db.prepare('COMMIT');
  }

  /** Queues statements to run once, in order, in one transaction. Throws `store-failed` after a failure. */
  add(...writes: readonly Write[]): Promise<void> {
    this.refuseFailed();
    this.#group ??= this.#open();
    for (const write of writes) this.#group.writes.push(write);
    return this.#group.committed.promise;
  }

  /** Returns the promise of the pending group; `null` if there is none. Rejects with `store-failed`. */
  flushed(): Promise<void> | null {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return this.#group?.committed.promise ?? null;
  }

  /** Throws `store-failed` after a failure. */
  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Commits the queue immediately, as reads require. Throws `store-failed`, also if an earlier group has failed. */
  commitNow(): void {
    this.#commitGroup();
    this.refuseFailed();
  }

  /** Rejects further writes, because the file is about to be released. */
  end(): void {
    this.#failure ??= new NudgeLabError('store-failed', { message: `${this.#path} is closed.` });
  }

  #open(): Group {
    const committed = Promise.withResolvers<void>();
    // Waiting callers receive the failure. If there are none, the next write throws it.
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

  /** Runs the writes of a group; a single statement needs no explicit transaction. */
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
