import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { entryAt } from './stored-samples.ts';

/** Opens a store, appends one entry at a time, says so, and holds the file until it is killed. Takes the path. */
const store = SqliteStore.open(process.argv[2] ?? '');
store.append('held', entryAt(1));
await store.flushed();
for (let seq = 1; seq <= 40; seq += 1) {
  store.append('counted', entryAt(seq));
  await store.flushed();
}
// Listening keeps the process alive, and the store with it.
process.on('message', () => store.flushed());
process.send?.('held');
