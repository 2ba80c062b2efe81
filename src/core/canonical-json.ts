import { isPlainObject } from './merge-patch.ts';

/**
 * Converts a value to JSON with sorted object keys, so equal values give equal text on every machine. Values that
 * JSON cannot represent, such as `undefined`, are omitted as in `JSON.stringify`.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sorted(member) : member));
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  const inOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
  return inOrder ? object : Object.fromEntries(keys.toSorted().map((key) => [key, object[key]]));
}
