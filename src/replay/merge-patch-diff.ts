import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/merge-patch.ts';

/**
 * Computes the merge patch (RFC 7396) from one object of plain data to another. Arrays are replaced as a whole, and a
 * removed key becomes `null`. A merge patch cannot set a key to `null`, so such a change is lost. An object appears in
 * the result whenever anything in it differs.
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
