import { writeSync } from 'node:fs';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { entryAt } from './stored-samples.ts';

/**
 * Appends entries, several at a time, until the store fails, and prints the number of acknowledged ones and the code of
 * each later request. The first argument is the path of the file.
 */
const store = SqliteStore.open(process.argv[2] ?? '');
const entriesMax = 100_000;
let acknowledged = 0;
let seq = 0;
const readCode = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
const codes: unknown[] = [];
while (codes.length === 0 && seq < entriesMax) {
  const waiting: Promise<number>[] = [];
  for (let more = 0; more < 5; more += 1) {
    seq += 1;
    const own = seq;
    store.append('a', entryAt(own, { type: 'token.revoked', tokenId: `t${own}`.padEnd(2_000, 'x') }));
    waiting.push((store.flushed() ?? Promise.resolve()).then(() => own));
  }
  for (const ended of await Promise.allSettled(waiting)) {
    if (ended.status === 'fulfilled') acknowledged = ended.value;
    else codes.push(readCode(ended.reason));
  }
}
try {
  store.append('a', entryAt(seq + 1));
} catch (error) {
  codes.push(readCode(error));
}
await store.entries('a', { after: 0, limit: 1 }).catch((error: unknown) => codes.push(readCode(error)));
writeSync(1, JSON.stringify({ acknowledged, codes }));
process.exit(0);
