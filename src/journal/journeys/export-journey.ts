import { NudgeLabError } from '../../core/errors.ts';
import { readHistory } from '../history.ts';
import type { JournalStore } from '../store.ts';
import { restoresUpTo, stateAt } from '../stored-state.ts';
import { createJourneyHead, createStateFromLines, listStateLines } from './journey-state.ts';
import { type PlacedEvent, writeJourney } from './journey-writer.ts';

/** Entries read at once. */
const pageEntries = 5_000;

/** Which part of a journal becomes a journey. */
export interface JourneySlice {
  /** First place of the journal whose event is part of it; from the beginning where it is left out. */
  readonly from?: number | undefined;
  /** Last place; to the end where it is left out. */
  readonly to?: number | undefined;
  /** The one user it is about; all where it is left out. */
  readonly user?: string | undefined;
}

/** A journal and the digest of the sources that may go on from its stored folds. */
export interface JournalSource {
  readonly store: JournalStore;
  readonly sandboxId: string;
  readonly digest: string;
}

/**
 * Exports a part of a journal as a journey, line by line without line breaks. It begins with how things stood before its
 * first event, so that it needs nothing else. What a restore abandoned is no part of it. Takes the journal and the part. Throws
 * `sandbox-not-found`, `user-not-found`, and `bad-request` for a part that is not there.
 */
export async function exportJourney(
  { store, sandboxId, digest }: JournalSource,
  slice: JourneySlice = {},
): Promise<AsyncGenerator<string, void>> {
  const lastSeq = await store.lastSeq(sandboxId);
  if (lastSeq === 0) throw new NudgeLabError('sandbox-not-found', { message: `There is no sandbox "${sandboxId}".` });
  const to = slice.to ?? lastSeq;
  const from = slice.from ?? 2;
  if (to > lastSeq || from > to + 1 || from < 1 || to < 1) {
    const message = `the journal has the places 1 to ${lastSeq}, and ${from} to ${to} is no part of it`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'from', message }] });
  }
  const history = readHistory(to, await restoresUpTo(store, sandboxId, to));
  const first = history.map((range) => ({ from: Math.max(range.from, from, 2), to: range.to })).filter(isSome);
  const before = placeBefore(history, Math.max(from, 2));
  const state = await stateAt(store, sandboxId, before, digest);
  const user = slice.user ?? null;
  refuseUnknown(state.users.has(user ?? ''), user, first.length);
  const beginsAtMs = await timeOf(store, sandboxId, first[0]?.from ?? before);
  const head = createJourneyHead(state, sandboxId, { from: Math.max(from, 2), to, user }, beginsAtMs);
  // Written from its own lines, so that what it begins with is what a reader will begin with.
  const begun = createStateFromLines(head, listStateLines(state, user));
  return writeJourney({ head, state: begun, events: inputsOf(store, sandboxId, first) });
}

/** When an entry was written, in ms. Throws `store-corrupt` when it is missing. */
async function timeOf(store: JournalStore, sandboxId: string, seq: number): Promise<number> {
  const [entry] = await store.entries(sandboxId, { after: seq - 1, limit: 1 });
  if (entry === undefined) throw new NudgeLabError('store-corrupt', { message: `Entry ${seq} is missing.` });
  return entry.atMs;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function isSome({ from, to }: Range): boolean {
  return from <= to;
}

/** The last place of the history that lies before a place. */
function placeBefore(history: readonly Range[], place: number): number {
  const before = history.filter(({ from }) => from < place).at(-1);
  return before === undefined ? 1 : Math.min(before.to, place - 1);
}

/** A user may come in the course of a journey, so that only a journey without events is about someone known. */
function refuseUnknown(isKnown: boolean, user: string | null, ranges: number): void {
  if (user === null || isKnown || ranges > 0) return;
  throw new NudgeLabError('user-not-found', { message: `This sandbox holds no user "${user}".` });
}

async function* inputsOf(
  store: JournalStore,
  sandboxId: string,
  ranges: readonly Range[],
): AsyncGenerator<PlacedEvent, void> {
  for (const { from, to } of ranges) {
    for (let after = from - 1; after < to; ) {
      const page = await store.entries(sandboxId, { after, limit: Math.min(pageEntries, to - after) });
      for (const { seq, atMs, event } of page) yield { place: seq, atMs, event };
      const last = page.at(-1);
      if (last === undefined) throw new NudgeLabError('store-corrupt', { message: `Entry ${after + 1} is missing.` });
      after = last.seq;
    }
  }
}
