import { logWords } from '../../../contract/directory-api/log-words.ts';
import { type Filter, listFilterParts } from '../../../contract/odata/filter.ts';

/** Range of times in milliseconds; both ends are included. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Narrows a range of times by the conditions that a filter sets on one property, so a log is read only where rows can
 * match.
 */
export function narrowWindow(window: TimeWindow, filter: Filter | null, path: string): TimeWindow {
  if (filter === null) return window;
  if (filter.kind === 'and') {
    return filter.terms.reduce((narrowed, term) => narrowWindow(narrowed, term, path), window);
  }
  if (filter.kind !== 'compare' || filter.path !== path || typeof filter.value !== 'number') return window;
  const { fromMs, toMs } = window;
  const { value, operator } = filter;
  switch (operator) {
    case 'ge':
    case 'gt':
      return { fromMs: Math.max(fromMs, value), toMs };
    case 'le':
    case 'lt':
      return { fromMs, toMs: Math.min(toMs, value) };
    case 'eq':
      return { fromMs: Math.max(fromMs, value), toMs: Math.min(toMs, value) };
    case 'ne':
      return window;
  }
}

/** Returns `true` if a filter names noninteractive sign-ins, which are hidden otherwise (DIR70). */
export function namesSilentSignIns(filter: Filter | null): boolean {
  if (filter === null) return false;
  return listFilterParts(filter).some((part) => {
    if (part.kind === 'any') return part.path === 'signInEventTypes' && part.test !== null && namesSilent(part.test);
    return part.kind === 'compare' && part.path === 'isInteractive' && isFalse(part.operator, part.value);
  });
}

function namesSilent(test: Filter): boolean {
  return listFilterParts(test).some(
    (part) => part.kind === 'compare' && String(part.value).toLowerCase() === logWords.eventTypes.silent.toLowerCase(),
  );
}

function isFalse(operator: string, value: unknown): boolean {
  return (operator === 'eq' && value === false) || (operator === 'ne' && value === true);
}
