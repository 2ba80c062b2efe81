import { isPlainObject } from '../../core/merge-patch.ts';

/** Keys that lead to a nested value; `*` matches every item of an array. */
export type LeafPath = readonly string[];

/** Returns a copy of a value with the numbers at a path changed. */
export function withNumbers(value: unknown, path: LeafPath, change: (number: number) => number): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === 'number' ? change(value) : value;
  if (key === '*') return Array.isArray(value) ? value.map((item) => withNumbers(item, rest, change)) : value;
  if (!isPlainObject(value) || !(key in value)) return value;
  return { ...value, [key]: withNumbers(value[key], rest, change) };
}

/** Lists the paths of all numbers in a value; array items share one path. */
export function numberPaths(value: unknown): readonly LeafPath[] {
  const found = new Map<string, LeafPath>();
  const walk = (one: unknown, path: LeafPath): void => {
    if (typeof one === 'number') found.set(path.join('.'), path);
    else if (Array.isArray(one)) for (const item of one) walk(item, [...path, '*']);
    else if (isPlainObject(one)) for (const [key, inner] of Object.entries(one)) walk(inner, [...path, key]);
  };
  walk(value, []);
  return [...found.values()];
}

/** Change of a value at a path. */
export interface LeafChange {
  readonly path: LeafPath;
  readonly kind: 'raised' | 'lowered' | 'cleared' | 'changed';
}

/**
 * Lists the differences between two values. An array with another length is a single difference; otherwise its items
 * are compared.
 */
export function leafChanges(before: unknown, after: unknown): readonly LeafChange[] {
  const found = new Map<string, LeafChange>();
  const walk = (one: unknown, other: unknown, path: LeafPath): void => {
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
      for (const [index, item] of one.entries()) walk(item, other[index], [...path, '*']);
    } else if (isPlainObject(one) && isPlainObject(other)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
        walk(one[key], other[key], [...path, key]);
      }
    } else if (JSON.stringify(one) !== JSON.stringify(other)) {
      const change = { path, kind: getKind(one, other) };
      found.set(`${path.join('.')} ${change.kind}`, change);
    }
  };
  walk(before, after, []);
  return [...found.values()];
}

function getKind(before: unknown, after: unknown): LeafChange['kind'] {
  if (typeof before === 'number' && typeof after === 'number') return after > before ? 'raised' : 'lowered';
  const empty =
    after === null || after === undefined || after === false || (Array.isArray(after) && after.length === 0);
  return empty ? 'cleared' : 'changed';
}

/** Returns the changed value with another value at one path. */
export function reapplied(
  before: unknown,
  after: unknown,
  path: LeafPath,
  change: (before: unknown, after: unknown) => unknown,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(before, after);
  if (key === '*') {
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return after;
    return after.map((item, index) => reapplied(before[index], item, rest, change));
  }
  if (!isPlainObject(after)) return after;
  const held = isPlainObject(before) ? before[key] : undefined;
  return { ...after, [key]: reapplied(held, after[key], rest, change) };
}
