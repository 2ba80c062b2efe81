import { writeSync } from 'node:fs';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { crowd, promptedEachTime } from './crowd.ts';

/**
 * Serves a crowd of clients from a store in a file until the process is killed. Each client signs in and skips
 * repeatedly. Every acknowledged entry is written immediately as a line. The first argument is the path of the file.
 */
const clients = 8;
const store = SqliteStore.open(process.argv[2] ?? '');
const sandboxes = await Sandboxes.open(store, { snapshotIntervalEntries: 150 });
const sandbox = sandboxes.has(defaultSandboxId)
  ? sandboxes.get(defaultSandboxId)
  : await sandboxes.create(defaultSandboxId, planSandbox({ tenant: promptedEachTime, users: crowd(clients) }));
sandbox.listen((entry) => writeSync(1, `${JSON.stringify(entry)}\n`));

async function client(userId: string): Promise<never> {
  for (;;) {
    const { id } = await sandbox.signIns.start(userId);
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await sandbox.signIns.skip(id);
  }
}

await Promise.all(crowd(clients).map(({ id }) => client(id)));
