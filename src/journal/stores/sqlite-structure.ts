import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** Minimum file size in bytes for a check in a thread; smaller files are checked faster than a thread starts. */
const threadFromBytes = 64 * 1024 * 1024;
/** Maximum time in milliseconds to wait for the start of a thread. */
const beginMsMax = 2_000;

/** Input of the thread: the file, and the shared memory for its result. */
export interface StructureOrder {
  readonly path: string;
  readonly answer: SharedArrayBuffer;
}

/** Result in shared memory: the state of the thread, the length of the text, and the text. */
export const structureAnswer = {
  stateAt: 0,
  lengthAt: 1,
  textFromByte: 8,
  textBytesMax: 4_096,
  waiting: 0,
  begun: 1,
  done: 2,
  /** State of a check that the thread did not run, so the caller runs it. */
  given: 3,
} as const;

/**
 * Checks the structure of a database with SQLite, which reads all of it.
 * @returns a description of the damage, or `ok`
 */
export function structureFault(db: DatabaseSync): string {
  return String(db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
}

/**
 * Starts to check the structure of a file, for a large file in a parallel thread with its own connection.
 * @param bytes - size of the file
 * @returns a function that waits for the result of `structureFault`; it blocks, as everything does that opens a file
 */
export function beginStructureCheck(db: DatabaseSync, path: string, bytes: number): () => string {
  if (bytes < threadFromBytes) return () => structureFault(db);
  const answer = new SharedArrayBuffer(structureAnswer.textFromByte + structureAnswer.textBytesMax);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const order: StructureOrder = { path, answer };
  const thread = new Worker(new URL(`./structure-thread.${extension}`, import.meta.url), { workerData: order });
  // If the thread fails for any reason, the check runs here, so the error needs no handling.
  thread.on('error', () => undefined);
  thread.unref();
  return () => answered(answer) ?? structureFault(db);
}

/** Waits for the result of a thread; `null` if it returns none. */
function answered(answer: SharedArrayBuffer): string | null {
  const { stateAt, lengthAt, textFromByte, waiting, begun, done } = structureAnswer;
  const words = new Int32Array(answer, 0, 2);
  Atomics.wait(words, stateAt, waiting, beginMsMax);
  // A thread that starts after this point detects that it is too late. A thread that has started always returns a
  // result.
  if (Atomics.compareExchange(words, stateAt, waiting, structureAnswer.given) === waiting) return null;
  Atomics.wait(words, stateAt, begun);
  if (Atomics.load(words, stateAt) !== done) return null;
  return Buffer.from(new Uint8Array(answer, textFromByte, words[lengthAt]).slice()).toString('utf8');
}
