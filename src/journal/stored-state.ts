import { NudgeLabError } from '../core/errors.ts';
import { rebuildState } from './apply-event.ts';
import { type JournalRange, type RestorePoint, readHistory } from './history.ts';
import { deserializeState, isOfLoadedRuleset } from './snapshot.ts';
import type { SandboxState } from './state.ts';
import type { JournalStore, SnapshotPlace } from './store.ts';

/** Number of entries per read: low for memory use, high enough for speed. */
const pageEntries = 5_000;

/**
 * Returns the state after an entry of a stored journal. It starts from the latest snapshot with the same digest in the
 * entry's history, or from the first entry if there is none. Throws `store-corrupt` if the journal is incomplete.
 */
export async function stateAt(
  store: JournalStore,
  sandboxId: string,
  seq: number,
  digest: string,
): Promise<SandboxState> {
  const history = readHistory(seq, await restoresUpTo(store, sandboxId, seq));
  let state = await latestFold(store, sandboxId, history, digest);
  for (const range of history) {
    if (state === null || state.lastSeq < range.to) state = await foldRange(store, sandboxId, range, state);
  }
  if (state === null) throw new NudgeLabError('store-corrupt', { message: `Sandbox ${sandboxId} has no entries.` });
  return state;
}

/**
 * Applies the entries of a stored journal to the state of an earlier entry, up to the last one of a history that
 * contains both. Throws `store-corrupt` if the journal is incomplete.
 */
export async function advanceState(
  store: JournalStore,
  sandboxId: string,
  state: SandboxState,
  history: readonly JournalRange[],
): Promise<void> {
  for (const range of history) if (state.lastSeq < range.to) await foldRange(store, sandboxId, range, state);
}

/** Lists the restores of a journal after an entry in order, at least up to a sequence number. */
export async function restoresUpTo(
  store: JournalStore,
  sandboxId: string,
  seq: number,
  from = 0,
): Promise<readonly RestorePoint[]> {
  const restores: RestorePoint[] = [];
  const query = { limit: pageEntries, type: 'state.restored' };
  for (let after = from; ; ) {
    const page = await store.entries(sandboxId, { ...query, after });
    for (const entry of page) {
      if (entry.event.type === 'state.restored') restores.push({ seq: entry.seq, toSeq: entry.event.toSeq });
    }
    after = page.at(-1)?.seq ?? seq;
    if (page.length < pageEntries || after >= seq) return restores;
  }
}

async function latestFold(
  store: JournalStore,
  sandboxId: string,
  history: readonly JournalRange[],
  digest: string,
): Promise<SandboxState | null> {
  let latest: SnapshotPlace | null = null;
  for (const place of await store.snapshots(sandboxId)) {
    if (place.digest !== digest || place.seq <= (latest?.seq ?? 0)) continue;
    if (history.some(({ from, to }) => from <= place.seq && place.seq <= to)) latest = place;
  }
  const stored = latest === null ? null : await store.snapshot(sandboxId, latest.name);
  return stored === null || !isOfLoadedRuleset(stored.state) ? null : deserializeState(stored.state);
}

async function foldRange(
  store: JournalStore,
  sandboxId: string,
  { from, to }: JournalRange,
  state: SandboxState | null,
): Promise<SandboxState | null> {
  let folded = state;
  let after = Math.max(from - 1, state?.lastSeq ?? 0);
  while (after < to) {
    const page = await store.entries(sandboxId, {
      after,
      limit: Math.min(pageEntries, to - after),
    });
    folded = rebuildState(page, folded);
    const last = page.at(-1);
    if (last === undefined) {
      throw new NudgeLabError('store-corrupt', {
        message: `The journal of sandbox ${sandboxId} ends at entry ${after}; entry ${to} is missing.`,
      });
    }
    after = last.seq;
  }
  return folded;
}
