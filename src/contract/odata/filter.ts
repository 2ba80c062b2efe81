import type { Comparison, TextTest } from './filter-properties.ts';

/** Value in a filter. A time is in milliseconds since 1970. */
export type FilterValue = string | number | boolean | null;

/**
 * Parsed filter. Paths have the documented spelling. Inside `any`, paths refer to the item, and the path `''` is the
 * item itself.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly path: string;
      readonly isTime: boolean;
      readonly value: FilterValue;
    }
  | { readonly kind: 'in'; readonly path: string; readonly isTime: boolean; readonly values: readonly FilterValue[] }
  | { readonly kind: 'text'; readonly test: TextTest; readonly path: string; readonly value: string }
  | { readonly kind: 'any'; readonly path: string; readonly test: Filter | null };

/** Lists all parts of a filter, including the filter itself. */
export function listFilterParts(filter: Filter): readonly Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [filter, ...filter.terms.flatMap(listFilterParts)];
    case 'not':
      return [filter, ...listFilterParts(filter.term)];
    case 'any':
      return filter.test === null ? [filter] : [filter, ...listFilterParts(filter.test)];
    default:
      return [filter];
  }
}
