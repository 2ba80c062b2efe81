/** Keys that would reach an object's prototype; a patch never writes them. */
const refusedKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Applies a merge patch. Objects merge deep, arrays and scalars replace; neither argument changes.
 * With `remove`, `null` takes the key away as RFC 7396 says; with `keep`, `null` is stored, as the facts of an attempt need,
 * where it means "none".
 */
export function mergePatch(target: unknown, patch: unknown, nulls: 'remove' | 'keep' = 'remove'): unknown {
  if (!isPlainObject(patch)) return patch;
  const merged: Record<string, unknown> = isPlainObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (refusedKeys.includes(key)) continue;
    if (value === null && nulls === 'remove') delete merged[key];
    else merged[key] = mergePatch(merged[key], value, nulls);
  }
  return merged;
}

/** Whether a value is a plain JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
