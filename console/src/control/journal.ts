import type { ControlReply } from '../../../src/client/control-client.ts';
import type { Entry } from './answers.ts';
import { api } from './control-client.ts';

/** Number of journal entries on one page. */
export const pageEntries = 100;

/** Maximum number of entries in one response, and the growth factor of the searched range. */
const responseEntries = 1_000;
const growth = 4;

/**
 * Returns up to one page of the newest entries of a type, newest first. `end` is the last sequence number to
 * include. The journal is read backward in ranges of growing size, so a rare type needs few requests.
 */
export async function newestOfType(sandbox: string, type: string, end: number): Promise<readonly Entry[]> {
  for (let span = pageEntries; ; span *= growth) {
    const after = Math.max(0, end - span);
    const found = await entriesBetween(sandbox, type, [after, end]);
    if (found.length >= pageEntries || after === 0) return found.slice(-pageEntries).toReversed();
  }
}

async function entriesBetween(
  sandbox: string,
  type: string,
  [after, end]: readonly [number, number],
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let from: number | null = after;
  while (from !== null && from < end) {
    const query = { limit: responseEntries, after: from, type };
    const { entries, next }: ControlReply<'listJournal'> = await api.listJournal({ sandbox, query });
    found.push(...entries);
    from = next;
  }
  return found.filter(({ seq }) => seq <= end);
}
