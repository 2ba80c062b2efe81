import { isPlainObject } from '../../../core/merge-patch.ts';

/** Key with unlike values; `undefined` stands for a key that one ruleset does not have. */
export interface KeyDifference {
  readonly path: string;
  readonly one?: unknown;
  readonly other?: unknown;
}

/** Keys that name a ruleset and say nothing about its rules. */
const namingKeys: ReadonlySet<string> = new Set(['ruleset', 'id']);

/**
 * Lists the keys in which two rulesets differ. Items of a list that have an id are compared by it, and all other lists
 * as a whole.
 *
 * @param one - data of the first ruleset
 * @param other - data of the second ruleset
 */
export function listKeyDifferences(one: object, other: object): readonly KeyDifference[] {
  const [values, others] = [one, other].map((data) => {
    const flat = new Map<string, unknown>();
    for (const [key, value] of Object.entries(data)) if (!namingKeys.has(key)) flatten(key, value, flat);
    return flat;
  });
  if (values === undefined || others === undefined) return [];
  return [...new Set([...values.keys(), ...others.keys()])].flatMap((path): readonly KeyDifference[] => {
    const [value, otherValue] = [values.get(path), others.get(path)];
    if (JSON.stringify(value) === JSON.stringify(otherValue)) return [];
    return [
      {
        path,
        ...(value === undefined ? {} : { one: value }),
        ...(otherValue === undefined ? {} : { other: otherValue }),
      },
    ];
  });
}

function flatten(path: string, value: unknown, flat: Map<string, unknown>): void {
  const named = Array.isArray(value) ? nameItems(value, path === 'gates') : null;
  if (named !== null && named.size > 0) {
    let position = 'first';
    for (const [name, item] of named) {
      flatten(`${path}.${name}`, item, flat);
      // The order of gates determines the reason. Dates order the items of other lists.
      if (path === 'gates') flat.set(`${path}.${name} (position)`, position);
      position = `after ${name}`;
    }
  } else if (isPlainObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) flatten(`${path}.${key}`, member, flat);
  } else if (value !== undefined && typeof value !== 'function') flat.set(path, value);
}

/**
 * Returns the items of a list by their ids, or `null` if one has none or two have the same. Texts are ids in a list of
 * gates alone.
 */
function nameItems(items: readonly unknown[], areTextsIds: boolean): ReadonlyMap<string, unknown> | null {
  const named = new Map<string, unknown>();
  for (const item of items) {
    const name = isPlainObject(item)
      ? (item['id'] ?? item['use'] ?? item['place'] ?? item['from'])
      : areTextsIds && item;
    if (typeof name !== 'string' || named.has(name)) return null;
    named.set(name, isPlainObject(item) ? item : undefined);
  }
  return named;
}
