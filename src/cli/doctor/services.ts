import { connectToQueue, queueModules, withoutPassword } from '../../queue/queue-connection.ts';
import { openStoreThere, redactStoreUrl } from '../open-store.ts';
import { type Check, failed, passed } from './check.ts';

/**
 * Whether a store answers that is asked for by `--db`: a PostgreSQL database, where an empty one becomes a store as it would by
 * `serve`, or a SQLite file that is there. Takes the store, and the folder that a path starts from.
 */
export async function storeCheck(db: string, cwd: string): Promise<Check> {
  const name = 'store';
  try {
    const store = await openStoreThere(db, cwd);
    try {
      const { length } = await store.sandboxIds();
      return passed(name, `${redactStoreUrl(db)} opens and holds ${length} ${length === 1 ? 'sandbox' : 'sandboxes'}`);
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed(name, error);
  }
}

/** Whether a Redis answers that is asked for by `--queue`. Takes its address. */
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
