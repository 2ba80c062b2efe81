import { NudgeLabError } from './errors.ts';

/** Key that would change the prototype of an object if it were assigned. */
export const prototypeKey = '__proto__';

/**
 * Applies a merge patch. Objects are merged recursively, and arrays and scalars are replaced. The arguments are not
 * modified.
 * @param nulls - `remove` deletes keys with `null` as in RFC 7396; `keep` stores `null`, which means "none" in the
 *   facts of an attempt
 * @throws `bad-request` if a key is not allowed in any object
 */
export function mergePatch(target: unknown, patch: unknown, nulls: 'remove' | 'keep' = 'remove'): unknown {
  return merged(target, patch, nulls, 'patch');
}

function merged(target: unknown, patch: unknown, nulls: 'remove' | 'keep', place: string): unknown {
  if (!isPlainObject(patch)) return patch;
  const result: Record<string, unknown> = isPlainObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === prototypeKey) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: place, message: `the key ${prototypeKey} is not allowed` }],
      });
    }
    if (value === null && nulls === 'remove') delete result[key];
    else result[key] = merged(Object.hasOwn(result, key) ? result[key] : undefined, value, nulls, `${place}.${key}`);
  }
  return result;
}

/** Checks whether a value is a plain JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
