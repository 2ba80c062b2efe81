import { NudgeLabError } from '../../core/errors.ts';
import { writtenOutUsersMax } from '../../core/limits.ts';
import { readHistory } from '../history.ts';
import type { SandboxState } from '../state.ts';
import type { JournalStore } from '../store.ts';
import { restoresUpTo, stateAt } from '../stored-state.ts';
import { createJourneyHead, createStateFromLines, listStateLines } from './journey-state.ts';
import { type PlacedEvent, writeJourney } from './journey-writer.ts';

/** Number of entries per read. */
const pageEntries = 5_000;

/** Part of a journal to export as a journey. */
export interface JourneySlice {
  /** First sequence number. Default: the start of the journal. */
  readonly from?: number | undefined;
  /** Last sequence number. Default: the end of the journal. */
  readonly to?: number | undefined;
  /** Only user to include. Default: all users. */
  readonly user?: string | undefined;
}

/** Journal, with the digest of the source code that can use its stored snapshots. */
export interface JournalSource {
  readonly store: JournalStore;
  readonly sandboxId: string;
  readonly digest: string;
}

/**
 * Exports part of a journal as a journey, as lines without line breaks. It starts with the state before its first
 * event, so it is self-contained. Entries that a restore abandoned are not included. Throws `sandbox-not-found`,
 * `user-not-found`, and `bad-request` for a part that does not exist.
 */
export async function exportJourney(
  { store, sandboxId, digest }: JournalSource,
  slice: JourneySlice = {},
): Promise<AsyncGenerator<string, void>> {
  const lastSeq = await store.lastSeq(sandboxId);
  if (lastSeq === 0)
    throw new NudgeLabError('sandbox-not-found', { message: `Sandbox "${sandboxId}" does not exist.` });
  const to = slice.to ?? lastSeq;
  const from = slice.from ?? 2;
  if (to > lastSeq || from > to + 1 || from < 1 || to < 1) {
    const message = `the range ${from} to ${to} is not within the journal entries 1 to ${lastSeq}`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'from', message }] });
  }
  const history = readHistory(to, await restoresUpTo(store, sandboxId, to));
  const first = history.map((range) => ({ from: Math.max(range.from, from, 2), to: range.to })).filter(isSome);
  const before = placeBefore(history, Math.max(from, 2));
  const state = await stateAt(store, sandboxId, before, digest);
  const user = slice.user ?? null;
  if (user === null) refuseLarge(state);
  refuseUnknown(state.users.has(user ?? ''), user, first.length);
  const beginsAtMs = await readTime(store, sandboxId, first[0]?.from ?? before);
  const head = createJourneyHead(state, sandboxId, { from: Math.max(from, 2), to, user }, beginsAtMs);
  // The state is created from its own lines, so the writer and every reader start with the same state.
  const begun = createStateFromLines(head, listStateLines(state, user));
  return writeJourney({ head, state: begun, events: readEvents(store, sandboxId, first) });
}

/** Returns the time of an entry in milliseconds. Throws `store-corrupt` if the entry is missing. */
async function readTime(store: JournalStore, sandboxId: string, seq: number): Promise<number> {
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

/** Returns the last sequence number of the history before a given one. */
function placeBefore(history: readonly Range[], place: number): number {
  const before = history.filter(({ from }) => from < place).at(-1);
  return before === undefined ? 1 : Math.min(before.to, place - 1);
}

/** Throws if a journey of all users would be too large, because it writes synthetic users out. */
function refuseLarge({ users }: SandboxState): void {
  if (users.synthetic === null || users.size <= writtenOutUsersMax) return;
  const message = `the sandbox has ${users.size} users, and at most ${writtenOutUsersMax} synthetic users are written out; name one user`;
  throw new NudgeLabError('bad-request', { problems: [{ location: 'user', message }] });
}

/**
 * Throws if the user is unknown and the journey has no events. With events, the user can be added during the journey.
 */
function refuseUnknown(isKnown: boolean, user: string | null, ranges: number): void {
  if (user === null || isKnown || ranges > 0) return;
  throw new NudgeLabError('user-not-found', { message: `User "${user}" does not exist in this sandbox.` });
}

async function* readEvents(
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
