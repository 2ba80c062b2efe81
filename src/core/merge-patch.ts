import { NudgeLabError } from './errors.ts';

/** The one key that would reach an object's prototype when it is written. */
export const prototypeKey = '__proto__';

/**
 * Applies a merge patch. Objects merge deep, arrays and scalars replace; neither argument changes.
 * With `remove`, `null` takes the key away as RFC 7396 says; with `keep`, `null` is stored, as the facts of an attempt need,
 * where it means "none". Throws `bad-request` for a key that no object may have.
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
        problems: [{ location: place, message: `no key may be called ${prototypeKey}` }],
      });
    }
    if (value === null && nulls === 'remove') delete result[key];
    else result[key] = merged(Object.hasOwn(result, key) ? result[key] : undefined, value, nulls, `${place}.${key}`);
  }
  return result;
}

/** Whether a value is a plain JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
