import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** Below this size a check is done before a thread would have begun. */
const threadFromBytes = 64 * 1024 * 1024;
/** A thread that has not begun by then is not waited for. */
const beginMsMax = 2_000;

/** What a thread is given: the file, and where it writes its answer. */
export interface StructureOrder {
  readonly path: string;
  readonly answer: SharedArrayBuffer;
}

/** The answer in shared memory: how far the thread is, how long its text is, and the text itself. */
export const structureAnswer = {
  stateAt: 0,
  lengthAt: 1,
  textFromByte: 8,
  textBytesMax: 4_096,
  waiting: 0,
  begun: 1,
  done: 2,
  /** The check was not made; anyone who wanted it makes it here. */
  given: 3,
} as const;

/** What SQLite finds wrong with the structure of a database; `ok` when nothing is. Reads everything. */
export function structureFault(db: DatabaseSync): string {
  return String(db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
}

/**
 * Begins to check the structure of a file, beside other work where the file is large: in a thread with a connection of its own.
 * Takes a database that is open, its path and its size in bytes. Returns what waits for the answer, which is that of
 * `structureFault`; it blocks, as all that opens a file does.
 */
export function beginStructureCheck(db: DatabaseSync, path: string, bytes: number): () => string {
  if (bytes < threadFromBytes) return () => structureFault(db);
  const answer = new SharedArrayBuffer(structureAnswer.textFromByte + structureAnswer.textBytesMax);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const order: StructureOrder = { path, answer };
  const thread = new Worker(new URL(`./structure-thread.${extension}`, import.meta.url), { workerData: order });
  // Whatever ends it, the check is made here then; no one waits for its end.
  thread.on('error', () => undefined);
  thread.unref();
  return () => answered(answer) ?? structureFault(db);
}

/** Waits for the answer of a thread; `null` when it gives none. */
function answered(answer: SharedArrayBuffer): string | null {
  const { stateAt, lengthAt, textFromByte, waiting, begun, done } = structureAnswer;
  const words = new Int32Array(answer, 0, 2);
  Atomics.wait(words, stateAt, waiting, beginMsMax);
  // A thread that begins from now on sees that it is too late, and one that has begun always ends with an answer.
  if (Atomics.compareExchange(words, stateAt, waiting, structureAnswer.given) === waiting) return null;
  Atomics.wait(words, stateAt, begun);
  if (Atomics.load(words, stateAt) !== done) return null;
  return Buffer.from(new Uint8Array(answer, textFromByte, words[lengthAt]).slice()).toString('utf8');
}
