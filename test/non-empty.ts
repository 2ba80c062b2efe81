/**
 * Returns the items of a list that a test loops over. Throws if the list is empty, because a loop that never runs
 * checks nothing.
 */
export function nonEmpty<Item>(items: Iterable<Item>): readonly Item[] {
  const list = Array.isArray(items) ? (items as readonly Item[]) : [...items];
  if (list.length === 0) throw new Error('The list is empty: a loop over it would check nothing.');
  return list;
}
