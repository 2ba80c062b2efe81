/**
 * Finds the first difference between two JSON values, for example `state: "snoozed", expected "prompted"`. Keys may be
 * in any order.
 *
 * @param actual - Actual value.
 * @param expected - Expected value.
 * @param at - Name of the whole value in the result.
 * @returns the difference, or `null` if both are the same JSON.
 */
export function findDifference(actual: unknown, expected: unknown, at = ''): string | null {
  if (Object.is(actual, expected)) return null;
  if (!isBranch(actual) || !isBranch(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${at === '' ? 'value' : at}: ${json(actual)}, expected ${json(expected)}`;
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  for (const key of keys) {
    const found = findDifference(actual[key], expected[key], placeIn(at, key, Array.isArray(actual)));
    if (found !== null) return found;
  }
  return null;
}

/** Lists every leaf of a value that differs from another value, as `place=value`. Lists are leaves. */
export function listChanges(value: unknown, from: unknown, at = ''): readonly string[] {
  if (findDifference(value, from) === null) return [];
  if (!isBranch(value) || !isBranch(from) || Array.isArray(value)) return [`${at}=${json(value)}`];
  return Object.keys(value).flatMap((key) => listChanges(value[key], from[key], placeIn(at, key, false)));
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function placeIn(at: string, key: string, isList: boolean): string {
  if (isList) return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}

function json(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
