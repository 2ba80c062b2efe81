import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterPendingInput, afterThisCode } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { LogSync } from './log-sync.ts';
import { storeError } from './sqlite-errors.ts';

/**
 * Number of event loop turns for collecting a group. Clients send their next request within a turn or two of a
 * response, so one sync can serve them all. A turn without work takes microseconds, compared to at least a hundred for
 * a sync.
 */
const gatheringTurns = 3;

/** Prepared statement with its values. */
type Write = () => void;

interface Group {
  readonly writes: Write[];
  readonly committed: PromiseWithResolvers<void>;
}

/** Parts of an open file that commits need. `path` is used in messages. */
export interface CommittedFile {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly log: LogSync;
}

/**
 * Commits writes in groups: everything queued while pending requests are handled, or while the previous group is
 * synced, becomes one transaction with one sync, so the cost per write falls as the load rises. The sync runs on a
 * thread while the event loop continues. A group is written only after the previous one is synced, so at most the last
 * commit in the log can be incomplete. After a failure, all writes are rejected.
 */
export class GroupCommit {
  readonly #file: CommittedFile;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  /** Group whose statements have not run. */
  #group: Group | null = null;
  /** Group whose statements have run, until its sync ends. */
  #syncing: Group | null = null;
  /** Number of writes in the previous group. */
  #latestSize = 0;
  /** `true` if a group was written in this turn of the event loop. */
  #hasWritten = false;
  #failure: NudgeLabError | null = null;

  /** Creates the queue for an open file. */
  constructor(file: CommittedFile) {
    this.#file = file;
    this.#begin = file.db.prepare('BEGIN');
    this.#commit = file.db.prepare('COMMIT');
  }

  /** Queues statements to run once, in order, in one transaction. Throws `store-failed` after a failure. */
  add(...writes: readonly Write[]): Promise<void> {
    this.refuseFailed();
    this.#group ??= this.#open();
    for (const write of writes) this.#group.writes.push(write);
    return this.#group.committed.promise;
  }

  /** Returns the promise of the latest group; `null` if everything is durable. Rejects with `store-failed`. */
  flushed(): Promise<void> | null {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return (this.#group ?? this.#syncing)?.committed.promise ?? null;
  }

  /** Throws `store-failed` after a failure. */
  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves when everything queued before the call is durable. Rejects with `store-failed`. */
  async settle(): Promise<void> {
    this.refuseFailed();
    const last = this.#hurry();
    await last?.committed.promise;
    this.refuseFailed();
  }

  /**
   * Reads the file after everything queued before the call is durable. Resolves when everything that the function may
   * have read is durable as well. Rejects with `store-failed`.
   */
  async read<T>(look: () => T): Promise<T> {
    await this.settle();
    const seen = look();
    // Another reader may have had a later group written in the meantime.
    await this.#syncing?.committed.promise;
    return seen;
  }

  /** Rejects further writes, and resolves when the queued ones are durable. Rejects with `store-failed`. */
  async close(): Promise<void> {
    const failed = this.#failure;
    const last = this.#hurry();
    this.#failure ??= new NudgeLabError('store-failed', { message: `${this.#file.path} is closed.` });
    if (failed !== null) throw failed;
    await last?.committed.promise;
  }

  /** Runs the queued statements at once unless a sync is in progress, and returns the latest group. */
  #hurry(): Group | null {
    const last = this.#group ?? this.#syncing;
    this.#commitGroup();
    return last;
  }

  #open(): Group {
    const committed = Promise.withResolvers<void>();
    // Waiting callers receive the failure. If there are none, the next write throws it.
    committed.promise.catch(() => undefined);
    if (this.#syncing === null) this.#commitSoon();
    return { writes: [], committed };
  }

  /** A single client gains nothing from waiting. A second write in the same turn shows that there are more. */
  #commitSoon(): void {
    if (this.#latestSize > 1 || this.#hasWritten) this.#commitAfter(gatheringTurns);
    else afterThisCode(() => this.#commitGroup());
  }

  #commitAfter(turns: number): void {
    afterPendingInput(() => (turns > 1 ? this.#commitAfter(turns - 1) : this.#commitGroup()));
  }

  #commitGroup(): void {
    const group = this.#group;
    if (group === null || this.#syncing !== null) return;
    this.#group = null;
    const isAlone = group.writes.length === 1 && this.#latestSize <= 1;
    this.#latestSize = group.writes.length;
    this.#hasWritten = true;
    afterPendingInput(() => {
      this.#hasWritten = false;
    });
    try {
      this.#run(group.writes);
      if (isAlone && this.#file.log.isQuick) {
        this.#file.log.syncNow();
        group.committed.resolve();
        return;
      }
    } catch (cause) {
      this.#fail(group, cause);
      return;
    }
    this.#sync(group);
  }

  /** Syncs a written group on a thread. Writes that arrive until the sync ends form the next group. */
  #sync(group: Group): void {
    this.#syncing = group;
    this.#file.log.sync().then(
      () => {
        this.#syncing = null;
        group.committed.resolve();
        if (this.#group !== null) this.#commitSoon();
      },
      (cause: unknown) => {
        this.#syncing = null;
        this.#fail(group, cause);
      },
    );
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

  /** Rejects a failed group, and the queued one, which is never written. */
  #fail(group: Group, cause: unknown): void {
    const { db, path } = this.#file;
    if (db.isTransaction) db.exec('ROLLBACK');
    const { message } = storeError(path, cause, 'store-failed');
    const failure = new NudgeLabError('store-failed', { message, cause });
    this.#failure = failure;
    group.committed.reject(failure);
    this.#group?.committed.reject(failure);
    this.#group = null;
  }
}
