import { parseDuration } from '../../contract/ruleset-values.ts';

/** Ruleset as it is written. */
export type Written = Readonly<Record<string, unknown>>;
export type Mutable = Record<string, unknown>;
/** Keys and indexes that lead to a value. */
export type Place = readonly (string | number)[];

/** Facts of every attempt that can be unknown. */
export const unknownFacts = [
  'attempt.browser',
  'attempt.ecosystem',
  'attempt.mfa.method',
  'kept.previousSignInAt',
  'kept.firstShownAt',
  'kept.lastShownAt',
  'kept.answeredAt',
  'kept.doneAt',
];

/** Operators with the opposite boundary. */
export const edges: Readonly<Record<string, string>> = {
  olderThan: 'atLeastOld',
  atLeastOld: 'olderThan',
  above: 'atLeast',
  atLeast: 'above',
  below: 'atMost',
  atMost: 'below',
};

/** Keys whose values are durations. */
export const durationKeys = [
  'every',
  'durations',
  'for',
  'after',
  'opens',
  'lifetime',
  'olderThan',
  'atLeastOld',
  'youngerThan',
  'default',
  'within',
];

/** Reads a duration without calendar units in milliseconds, or returns `null` for another text. */
export function readDuration(text: string): number | null {
  const read = parseDuration(text);
  return 'message' in read || read.value.months > 0 ? null : read.value.ms;
}

function parentAt(data: Mutable, place: Place): Mutable {
  let parent = data;
  for (const key of place.slice(0, -1)) {
    if (typeof parent[key] !== 'object' || parent[key] === null) parent[key] = {};
    parent = parent[key] as Mutable;
  }
  return parent;
}

/** Sets the value at a place. */
export function setAt(data: Mutable, place: Place, value: unknown): void {
  parentAt(data, place)[String(place.at(-1))] = value;
}

/** Removes the key or the item at a place. */
export function removeAt(data: Mutable, place: Place): void {
  const parent: unknown = parentAt(data, place);
  const key = place.at(-1);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as Mutable)[String(key)];
}

/** Keys whose values are conditions. */
export const conditionKeys = ['when', 'skipIf', 'factors', 'required', 'blocked'];

/** Returns true for an answer that pages show as a button. */
export function isButton(id: string): boolean {
  return id !== 'close' && id !== 'expire' && id !== 'next';
}
