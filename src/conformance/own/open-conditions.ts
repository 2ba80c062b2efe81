import { listReads } from '../../../machines/own/condition.ts';
import type { Condition, FactAtom } from '../../../machines/own/own-ruleset.ts';

/** Condition that always holds, and one that never does. */
const always: Condition = { all: [] };
export const never: Condition = { any: [] };

/** Pseudo path of the times of earlier sign-ins, which conditions count in a window. */
export const earlierSignIns = 'kept.signInTimes';

/**
 * Returns the condition with each comparison of an unknown fact replaced by the result that leads to `wanted` if any value
 * does. So the returned condition has the wanted result if some values of the unknown facts give it. Sets of a user have a
 * known lower bound: a comparison that more members cannot change stays as it is.
 *
 * @param condition - condition of a ruleset
 * @param wanted - result to reach
 * @param unknown - paths of the unknown facts
 */
export function lean(condition: Condition, wanted: boolean, unknown: ReadonlySet<string>): Condition {
  if ('all' in condition) return { all: condition.all.map((part) => lean(part, wanted, unknown)) };
  if ('any' in condition) return { any: condition.any.map((part) => lean(part, wanted, unknown)) };
  if ('not' in condition) return { not: lean(condition.not, !wanted, unknown) };
  const constant = wanted ? always : never;
  if ('signIns' in condition) {
    return unknown.has(earlierSignIns) || readsUnknown(condition, unknown) ? constant : condition;
  }
  const { fact, value } = condition.atom;
  if (!readsUnknown(condition, unknown)) return condition;
  const comparesUnknown = value !== null && 'fact' in value && unknown.has(value.fact);
  if (!unknown.has(fact) || comparesUnknown || !fact.startsWith('user.')) return constant;
  const fixed = fixedByMore(condition.atom);
  return fixed === null || fixed === wanted ? constant : condition;
}

/** Returns true if a condition reads an unknown fact. */
function readsUnknown(condition: Condition, unknown: ReadonlySet<string>): boolean {
  return listReads(condition).some((path) => unknown.has(path));
}

/** Returns the result that a comparison of a set keeps when members are added; `null` if it can change both ways. */
function fixedByMore({ operator, value }: FactAtom): boolean | null {
  switch (operator) {
    case 'has':
    case 'hasAny':
      return true;
    case 'hasNone':
      return false;
    case 'size': {
      const bounds = value as { readonly atLeast?: number; readonly atMost?: number };
      if (bounds.atMost === undefined) return true;
      return bounds.atLeast === undefined ? false : null;
    }
    default:
      return null;
  }
}
