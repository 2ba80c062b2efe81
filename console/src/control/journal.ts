import type { ControlReply } from '../../../src/client/control-client.ts';
import type { Entry } from './answers.ts';
import { api } from './control-client.ts';

/** Entries that a page of the journal shows. */
export const pageEntries = 100;

/** Entries that one response holds, and by how much the part that is looked through grows while it has too few. */
const responseEntries = 1_000;
const growth = 4;

/**
 * The newest entries of a type up to a place, the newest first, as many as a page shows. The journal is read from its end in parts
 * that grow, so that a rare type costs few requests. Takes the sandbox, the type and the last place that counts.
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
