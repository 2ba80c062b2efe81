import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { entryAt } from './stored-samples.ts';

/**
 * Opens a store, appends one entry at a time, reports that, and keeps the file open until the process is killed. The
 * first argument is the path of the file.
 */
const store = SqliteStore.open(process.argv[2] ?? '');
store.append('held', entryAt(1));
await store.flushed();
for (let seq = 1; seq <= 40; seq += 1) {
  store.append('counted', entryAt(seq));
  await store.flushed();
}
// The listener keeps the process alive, and with it the store.
process.on('message', () => store.flushed());
process.send?.('held');
