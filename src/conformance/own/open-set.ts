import type { LedgerEntry } from '../../../machines/own/ledger.ts';
import { copyOwnState, getOwnUser } from '../../../machines/own/own-state.ts';
import { openPromptsMax } from '../../core/limits.ts';
import { type Interval, type OpenField, type OpenFields, type OpenPast, openTimes } from './open-past.ts';
import { withLeft, withPrompts, withRepresentatives } from './open-state.ts';
import { type OwnHypothesis, ownLogUser } from './own-steps.ts';

/**
 * Removes hypotheses that another one contains, and joins those whose intervals touch. One that contains all that it is
 * joined with stays the same object, so that callers notice when nothing new was found. Above a limit it joins all that
 * differ in nothing but their intervals, then in nothing but their times, and then forgets the events so
 * far. So the result admits at least the behavior of the given ones.
 *
 * @param given - hypotheses of one user
 * @param limit - number of hypotheses above which they are joined
 * @param completed - paths of the facts that earlier prompts can have set
 */
export function reduceOpen(
  given: readonly OwnHypothesis[],
  limit: number,
  completed: readonly string[],
): readonly OwnHypothesis[] {
  const groups = Map.groupBy(given, (one) => writeKey(one));
  const kept = [...groups.values()].flatMap((group) => dropContained(joinTouching(group)));
  if (kept.length <= limit) return kept;
  const joined = [...Map.groupBy(kept, (one) => writeKey(one)).values()].map(joinAll);
  if (joined.length <= limit) return joined;
  const opened = joined.map(openStoredTimes);
  const times = [...Map.groupBy(opened, (one) => writeKey(one)).values()].map(joinAll);
  if (times.length <= limit) return times;
  return [...Map.groupBy(times, ({ state }) => state.edition).values()].map((group) =>
    forget(joinEdges(group), completed),
  );
}

function joinEdges(group: readonly OwnHypothesis[]): OwnHypothesis {
  const sinceMs = Math.max(...group.map(({ past, fromMs }) => Math.max(past.sinceMs, fromMs)));
  const [one] = group as readonly [OwnHypothesis];
  const fromMs = Math.min(...group.map((other) => other.fromMs));
  const missing = Math.min(...group.map((other) => other.missing));
  const unknown = new Set(group.flatMap(({ past }) => [...past.unknown]));
  const createdAt = group.map(({ past }) => past.createdAt).reduce(hull);
  return { ...one, fromMs, missing, past: { ...one.past, sinceMs, unknown, createdAt } };
}

/** Returns a hypothesis without all that the log has said of ledger, prompts and user, as if it began now. */
function forget(one: OwnHypothesis, completed: readonly string[]): OwnHypothesis {
  const state = copyOwnState(one.state);
  const owner = getOwnUser(state, ownLogUser);
  const sets = Object.entries(owner.user.facts).flatMap(([name, value]) =>
    completed.includes(`user.facts.${name}`) && Array.isArray(value) ? [[name, []] as const] : [],
  );
  owner.user = {
    ...owner.user,
    methods: [],
    passkeys: [],
    facts: { ...owner.user.facts, ...Object.fromEntries(sets) },
  };
  owner.prompts = [];
  state.ledger.clear();
  const unknown = new Set([...one.past.unknown, ...completed]);
  const past = { ...one.past, isFresh: false, pending: openPromptsMax, unknown, entries: new Map(), left: new Map() };
  return { ...one, state, past };
}

/** Writes everything but the values of the open fields, the time and the missing events. */
function writeKey({ state, past }: OwnHypothesis): string {
  const { user, prompts, signInTimesMs, lastAttempt, status, ended } = getOwnUser(state, ownLogUser);
  const entries = sortedEntries(past.entries).map(([key, open]) => {
    const entry = state.ledger.get(key);
    return [key, entry === undefined ? null : maskEntry(entry, open)];
  });
  const open = prompts.map(({ id, phase, required, shownAtMs, leftAtMs, leftCounts, keys, earlier }) => [
    id,
    phase,
    required,
    shownAtMs,
    past.left.has(id) ? 'open' : leftAtMs,
    leftAtMs !== null && leftCounts,
    keys.map(({ key }) => key),
    earlier,
  ]);
  const attempt = lastAttempt === null ? null : [lastAttempt.os, lastAttempt.browserId, lastAttempt.facts];
  const unknown = [...past.unknown].toSorted();
  return JSON.stringify([
    past.isFresh && [status, ended.size > 0],
    past.sinceMs,
    past.pending,
    state.tenant,
    user,
    state.edition,
    signInTimesMs,
    open,
    attempt,
    unknown,
    entries,
  ]);
}

function maskEntry(entry: LedgerEntry, open: OpenFields): object {
  const { key: _key, parts: _parts, ...values } = entry;
  return { ...values, ...Object.fromEntries(Object.keys(open).map((field) => [field, 'open'])) };
}

const intervalLists = new WeakMap<OpenPast, readonly Interval[]>();

/** Returns the intervals of a hypothesis, in the same order for all with the same key. */
function listIntervals({ past }: OwnHypothesis): readonly Interval[] {
  const known = intervalLists.get(past);
  if (known !== undefined) return known;
  const entries = sortedEntries(past.entries);
  const fields = entries.flatMap(([, open]) => sortedFields(open).map(([, interval]) => interval));
  const intervals = [...fields, ...sortedEntries(past.left).map(([, interval]) => interval), past.createdAt];
  intervalLists.set(past, intervals);
  return intervals;
}

function sortedEntries<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function sortedFields(open: OpenFields): readonly (readonly [OpenField, Interval])[] {
  return (Object.entries(open) as [OpenField, Interval][]).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a hypothesis with other intervals, in the order of `listIntervals`. */
function withIntervals(one: OwnHypothesis, intervals: readonly Interval[]): OwnHypothesis {
  let at = 0;
  const next = (): Interval => intervals[at++] as Interval;
  const entries = new Map<string, OpenFields>();
  const ledger = new Map(one.state.ledger);
  for (const [key, open] of sortedEntries(one.past.entries)) {
    const changed: OpenFields = Object.fromEntries(sortedFields(open).map(([field]) => [field, next()]));
    entries.set(key, changed);
    const entry = ledger.get(key);
    if (entry !== undefined) ledger.set(key, withRepresentatives(entry, changed));
  }
  const left = new Map(sortedEntries(one.past.left).map(([id]) => [id, next()]));
  const past = { ...one.past, entries, left, createdAt: next() };
  const { prompts } = getOwnUser(one.state, ownLogUser);
  const state = left.size === 0 ? one.state : withPrompts(one.state, withLeft(prompts, left));
  return { ...one, state: { ...state, ledger }, past };
}

/** Joins hypotheses that differ in one interval, where one continues the other. */
function joinTouching(group: readonly OwnHypothesis[]): readonly OwnHypothesis[] {
  const kept: OwnHypothesis[] = [];
  for (const one of group) {
    let joined = one;
    for (let at = 0; at < kept.length; ) {
      const both = joinPair(joined, kept[at] as OwnHypothesis);
      if (both === null) {
        at += 1;
        continue;
      }
      kept.splice(at, 1);
      joined = both;
      at = 0;
    }
    kept.push(joined);
  }
  return kept;
}

function joinPair(a: OwnHypothesis, b: OwnHypothesis): OwnHypothesis | null {
  if (a.fromMs !== b.fromMs || a.missing !== b.missing) return null;
  const [first, second] = [listIntervals(a), listIntervals(b)];
  const different = first.flatMap((interval, at) => (isSame(interval, second[at] as Interval) ? [] : [at]));
  const [only] = different;
  if (only === undefined) return b;
  const [one, other] = [first[only] as Interval, second[only] as Interval];
  if (different.length > 1 || one.lo > other.hi + 1 || other.lo > one.hi + 1) return null;
  const both = hull(one, other);
  if (isSame(both, other)) return b;
  return isSame(both, one) ? a : withIntervals(a, first.with(only, both));
}

function isSame(a: Interval, b: Interval): boolean {
  return a.lo === b.lo && a.hi === b.hi;
}

function hull(a: Interval, b: Interval): Interval {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

function dropContained(group: readonly OwnHypothesis[]): readonly OwnHypothesis[] {
  const kept: OwnHypothesis[] = [];
  for (const one of group) {
    if (kept.some((other) => contains(other, one))) continue;
    const free = kept.filter((other) => !contains(one, other));
    kept.splice(0, kept.length, ...free, one);
  }
  return kept;
}

function contains(a: OwnHypothesis, b: OwnHypothesis): boolean {
  if (a.fromMs > b.fromMs || a.missing > b.missing) return false;
  const inner = listIntervals(b);
  return listIntervals(a).every(({ lo, hi }, at) => {
    const other = inner[at] as Interval;
    return lo <= other.lo && hi >= other.hi;
  });
}

function joinAll(group: readonly OwnHypothesis[]): OwnHypothesis {
  return group.reduce((a, b) => {
    if (contains(a, b)) return a;
    const second = listIntervals(b);
    const intervals = listIntervals(a).map((interval, at) => hull(interval, second[at] as Interval));
    const joined = withIntervals(a, intervals);
    return { ...joined, fromMs: Math.min(a.fromMs, b.fromMs), missing: Math.min(a.missing, b.missing) };
  });
}

/** Returns a hypothesis whose stored times are intervals of one instant, so that they can be joined. */
function openStoredTimes(one: OwnHypothesis): OwnHypothesis {
  let isOpened = false;
  const entries = [...one.past.entries].map(([key, open]): readonly [string, OpenFields] => {
    const entry = one.state.ledger.get(key);
    const stored = openTimes.flatMap((field) => {
      const atMs = entry?.[field] ?? null;
      return atMs === null || open[field] !== undefined ? [] : [[field, { lo: atMs, hi: atMs }] as const];
    });
    isOpened ||= stored.length > 0;
    return [key, { ...open, ...Object.fromEntries(stored) }];
  });
  if (!isOpened) return one;
  return { ...one, past: { ...one.past, entries: new Map(entries) } };
}

/** Returns a hypothesis with a snooze count under every key, for an event that took place nevertheless. */
export function withOpenCount(one: OwnHypothesis, count: number): OwnHypothesis {
  const state = copyOwnState(one.state);
  const entries = new Map(one.past.entries);
  for (const [key, open] of one.past.entries) {
    const entry = state.ledger.get(key);
    const { count: _count, ...rest } = open;
    entries.set(key, rest);
    if (entry !== undefined) state.ledger.set(key, { ...entry, count });
  }
  return { ...one, state, past: { ...one.past, entries } };
}

/**
 * Returns a hypothesis whose count under a key is within an interval, or `null` if it cannot be.
 *
 * @param key - key of the ledger; `null` if the log has not used one
 */
export function limitCount(one: OwnHypothesis, key: string | null, { lo, hi }: Interval): OwnHypothesis | null {
  const open = one.past.entries.get(key ?? '');
  const entry = one.state.ledger.get(key ?? '');
  // Nothing is known of a key that was not used yet.
  if (key === null || open === undefined) return one;
  if (entry === undefined) return lo <= 0 ? one : null;
  const known = open.count ?? { lo: entry.count, hi: entry.count };
  const within = { lo: Math.max(lo, known.lo), hi: Math.min(hi, known.hi) };
  if (within.lo > within.hi) return null;
  if (open.count === undefined) return one;
  const changed = { ...open, count: within };
  const ledger = new Map(one.state.ledger).set(entry.key, withRepresentatives(entry, changed));
  const entries = new Map(one.past.entries).set(entry.key, changed);
  return { ...one, state: { ...one.state, ledger }, past: { ...one.past, entries } };
}
