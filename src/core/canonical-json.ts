import { isPlainObject } from './merge-patch.ts';

/**
 * A value as JSON with the keys of every object in order, so that equal values are equal texts on every machine. Takes plain
 * data; what JSON cannot write, such as `undefined`, is left out as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => (isPlainObject(held) ? sorted(held) : held));
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  const inOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
  return inOrder ? object : Object.fromEntries(keys.toSorted().map((key) => [key, object[key]]));
}
