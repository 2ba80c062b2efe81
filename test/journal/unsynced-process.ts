import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { HeldSync } from './held-sync.ts';
import { entryAt } from './stored-samples.ts';

/**
 * Appends two entries, of which only the first one is synced and acknowledged, and waits to be killed between the commit
 * and the acknowledgment of the second. The first argument is the path of the file.
 */
let sync: HeldSync | null = null;
const store = SqliteStore.open(process.argv[2] ?? '', {
  wrapLog: (log) => {
    sync = new HeldSync(log);
    return sync;
  },
});
const send = (word: string) => process.send?.(word);
store.append('a', entryAt(1));
const first = store.flushed();
while (sync === null || !(sync as HeldSync).end()) await new Promise(setImmediate);
await first;
send('acknowledged 1');
store.append('a', entryAt(2));
void store.flushed()?.then(() => send('acknowledged 2'));
while ((sync as HeldSync).begun < 2) await new Promise(setImmediate);
send('written 2');
process.on('message', () => undefined);
