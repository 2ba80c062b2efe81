import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import { NudgeLabError } from '../../core/errors.ts';
import { LogFileSync, type LogSync } from './log-sync.ts';
import { corrupt, storeError } from './sqlite-errors.ts';
import { applicationId, creation, formatVersion } from './sqlite-schema.ts';
import { verifyStore } from './sqlite-verify.ts';
import { refuseDamagedLog } from './wal-check.ts';

const load = createRequire(import.meta.url);

/** File of a store that this process has locked exclusively. */
export interface HeldFile {
  readonly path: string;
  readonly db: DatabaseSync;
  /** Sync of the write-ahead log, which SQLite leaves to its user. */
  readonly log: LogSync;
  /** Closes the file; SQLite then moves its log into it. */
  release(): void;
}

/**
 * Files that are open in this process. Opening and closing a file a second time in the same process would release its
 * lock, so an open file is never accessed again.
 */
const held = new Set<string>();

/**
 * Opens a store's file, or creates it if it is missing or empty, and locks it exclusively until it is released. An
 * existing file is first checked without writing: header, lock, log, structure, every entry.
 * @throws `store-unrecognized`, `store-version`, `store-corrupt`, `store-locked` and `file-unreadable` without changing
 * the file
 */
export function holdFile(given: string): HeldFile {
  const path = absolute(given);
  if (held.has(path)) throw new NudgeLabError('store-locked', { message: `${path} is already open in this process.` });
  held.add(path);
  try {
    const isNew = getSize(path) === 0;
    if (isNew) refuseLostContent(path);
    else refuseUnsound(path);
    const { db, log } = connect(path, isNew);
    const release = (): void => {
      held.delete(path);
      db.close();
      log.close();
    };
    return { path, db, log, release };
  } catch (error) {
    held.delete(path);
    throw error;
  }
}

/** Resolves the folder of a path, so each file has one name in this process. */
function absolute(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', {
      message: `The folder of ${path} does not exist. Create it first.`,
      cause,
    });
  }
}

/** Returns the size of a file in bytes; 0 if it does not exist. */
function getSize(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    throw new NudgeLabError('file-unreadable', { message: `${path} is not a file.` });
  }
  return stats?.size ?? 0;
}

/** Rejects an empty store with a log, which SQLite would delete. A store is never empty once its log has content. */
function refuseLostContent(path: string): void {
  if (getSize(`${path}-wal`) === 0) return;
  throw corrupt(
    path,
    `the file is empty or missing, but its write-ahead log is not; restore the file, or delete ${path}-wal to begin with an empty store`,
  );
}

function refuseUnsound(path: string): void {
  refuseForeign(path);
  const hadIndex = existsSync(`${path}-shm`);
  let db: DatabaseSync | null = null;
  try {
    db = openDatabase(path, { readOnly: true });
    // The first read acquires the lock, so it fails before any other check if another process has the file open.
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    refuseDamagedLog(path);
    verifyStore(db, path, getSize(path) + getSize(`${path}-wal`));
    sweepBeside(path, hadIndex);
  } catch (cause) {
    const error = storeError(path, cause, 'store-corrupt');
    if (error.code !== 'store-locked') sweepBeside(path, hadIndex);
    throw error;
  } finally {
    db?.close();
  }
}

/**
 * Removes the files that reading has created next to the store: an empty log, and the index of the log. It runs before
 * the file is closed and never while another process has the file open, so neither is in use.
 */
function sweepBeside(path: string, hadIndex: boolean): void {
  try {
    if (getSize(`${path}-wal`) === 0) rmSync(`${path}-wal`, { force: true });
    if (!hadIndex) rmSync(`${path}-shm`, { force: true });
  } catch {
    // Some systems cannot remove a file in use. The remaining files contain no data.
  }
}

/** Reads the header directly from the file, because SQLite would use log files next to a file of another program. */
function refuseForeign(path: string): void {
  const header = readHeader(path);
  if (!header.toString('latin1').startsWith('SQLite format 3\0')) {
    throw corrupt(path, 'the file is not a journal store, or its header is damaged');
  }
  const id = header.readUInt32BE(68);
  if (id !== applicationId) {
    throw new NudgeLabError('store-unrecognized', { message: `${path} belongs to another program (id ${id}).` });
  }
  const version = header.readUInt32BE(60);
  if (version !== formatVersion) {
    throw new NudgeLabError('store-version', {
      message: `${path} has format version ${version}; this program supports version ${formatVersion}.`,
    });
  }
  if (existsSync(`${path}-journal`))
    throw corrupt(path, 'its creation was interrupted; delete it, because it contains no data');
}

const headerBytes = 100;

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerBytes);
  let read: number;
  try {
    const file = openSync(path, 'r');
    read = readSync(file, header, 0, headerBytes, 0);
    closeSync(file);
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `${path} cannot be read.`, cause });
  }
  if (read < headerBytes) throw corrupt(path, 'the file is too short to be a journal store');
  return header;
}

/** Mode of created store files: only the owner can read and write. Existing files keep their mode. */
const ownerOnly = 0o600;

/**
 * Connects to the file and locks it. Commits are then written without a sync, except that SQLite syncs a new log with its
 * folder, each new header of a log, and what a checkpoint copies.
 */
function connect(path: string, isNew: boolean): Pick<HeldFile, 'db' | 'log'> {
  let db: DatabaseSync | null = null;
  try {
    // The file contains keys. SQLite creates its log files with the same mode.
    if (isNew) closeSync(openSync(path, 'a', ownerOnly));
    db = openDatabase(path);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE');
    if (isNew) create(db, path);
    db.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 16777216');
    // No other process can have the file open now, so leftovers of a check are not needed.
    rmSync(`${path}-shm`, { force: true });
    // The first read creates the log.
    db.exec('SELECT count(*) FROM sqlite_schema; PRAGMA synchronous = NORMAL');
    return { db, log: new LogFileSync(`${path}-wal`) };
  } catch (cause) {
    db?.close();
    throw storeError(path, cause, 'store-failed');
  }
}

function create(db: DatabaseSync, path: string): void {
  if (db.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'] !== 0) {
    throw new NudgeLabError('store-locked', { message: `${path} was just created by another process. Try again.` });
  }
  for (const statement of creation) db.exec(statement);
}

/**
 * Opens a database file. The module of Node is loaded by `require` on first use: with an import, Node 20 would fail on
 * the missing module before the package can report that this version is too old.
 */
function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync: Database } = load('node:sqlite') as typeof import('node:sqlite');
  return new Database(path, options);
}
