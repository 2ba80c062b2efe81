import { formatCount } from '../../core/format-count.ts';
import { connectToQueue, queueModules, withoutPassword } from '../../queue/queue-connection.ts';
import { openStoreThere, redactStoreUrl } from '../open-store.ts';
import { type Check, failed, passed } from './check.ts';

/**
 * Checks whether the store of `--db` is available. The store is a PostgreSQL database or an existing SQLite file.
 * As with `serve`, an empty PostgreSQL database is set up as a store.
 * @param db - value of `--db`
 * @param cwd - base folder of a relative path
 */
export async function storeCheck(db: string, cwd: string): Promise<Check> {
  const name = 'store';
  try {
    const store = await openStoreThere(db, cwd);
    try {
      const { length } = await store.sandboxIds();
      return passed(name, `${redactStoreUrl(db)} can be opened and has ${formatCount(length, 'sandbox', 'sandboxes')}`);
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed(name, error);
  }
}

/** Checks whether the Redis server of `--queue` responds. */
export async function queueCheck(address: string): Promise<Check> {
  const name = 'queue';
  try {
    const redis = await connectToQueue(await queueModules(), address);
    redis.disconnect();
    return passed(name, `${withoutPassword(address)} answers`);
  } catch (error) {
    return failed(name, error);
  }
}
