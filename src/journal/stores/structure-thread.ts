import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { type StructureOrder, structureAnswer, structureFault } from './sqlite-structure.ts';

/** Thread that checks the structure of a large file while the main thread checks its entries. */
const { path, answer } = workerData as StructureOrder;
const { stateAt, lengthAt, textFromByte, textBytesMax, waiting, begun, done, given } = structureAnswer;
const words = new Int32Array(answer, 0, 2);

if (Atomics.compareExchange(words, stateAt, waiting, begun) === waiting) {
  Atomics.notify(words, stateAt);
  end(check());
}

/** Returns a description of the damage, or `ok`; `null` if the thread cannot check the file. */
function check(): string | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    return structureFault(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

function end(fault: string | null): void {
  const text = new TextEncoder().encode(fault ?? '').subarray(0, textBytesMax);
  new Uint8Array(answer, textFromByte).set(text);
  words[lengthAt] = text.length;
  Atomics.store(words, stateAt, fault === null ? given : done);
  Atomics.notify(words, stateAt);
}
