import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/merge-patch.ts';

/**
 * The merge patch (RFC 7396) that leads from one value to another. Takes two objects of plain data; arrays are replaced whole,
 * a key that is gone becomes `null`. A key whose new value is itself `null` cannot be said by such a patch, and its parent is
 * left out of the result only where nothing differs.
 */
export function mergeDifference(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[key], after[key]];
    if (canonicalJson(from) === canonicalJson(to)) continue;
    patch[key] = isPlainObject(from) && isPlainObject(to) ? mergeDifference(from, to) : (to ?? null);
  }
  return patch;
}
