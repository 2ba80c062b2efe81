import { NudgeLabError } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import type { LogEntry } from '../model/log-event.ts';

/** Maximum number of entries that are sorted, because they are kept in memory. */
const sortedMax = 2_000_000;

/**
 * Sorts a log by the earliest times of its entries. Entries of the same time keep their order.
 * @throws NudgeLabError `log-too-large` above the limit of entries
 */
export async function* sortEntries(
  batches: AsyncIterable<readonly LogEntry[]>,
): AsyncGenerator<readonly LogEntry[], void> {
  const entries: LogEntry[] = [];
  for await (const batch of batches) {
    if (entries.length + batch.length > sortedMax) {
      const message = `The log has more than ${formatCount(sortedMax, 'event')}, which is too many to sort. Sort it by time, and remove the order from the mapping.`;
      throw new NudgeLabError('log-too-large', { message });
    }
    entries.push(...batch);
  }
  yield entries.toSorted((a, b) => getTime(a) - getTime(b));
}

function getTime(entry: LogEntry): number {
  return 'lo' in entry ? entry.lo : 0;
}
