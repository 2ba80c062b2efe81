/** Longest name that is compared; longer ones are not mistyped names. */
const nameCharactersMax = 64;

/** Maximum number of names to compare with. */
const namesMax = 2_000;

/**
 * Finds the allowed name that a rejected one most resembles: the fewest letters to insert, delete, replace or swap, at
 * most a third of its length. Case does not count.
 *
 * @param given - the rejected name
 * @param allowed - the allowed names; the first one of equally close names is taken
 * @returns the name, or `null` if none is close
 */
export function findNearestName(given: string, allowed: readonly string[]): string | null {
  if (given.length > nameCharactersMax || allowed.length > namesMax) return null;
  const wanted = given.toLowerCase();
  let nearest: string | null = null;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of allowed) {
    if (name === given || Math.abs(name.length - wanted.length) >= fewest) continue;
    const distance = editDistance(wanted, name.toLowerCase(), fewest);
    if (distance >= fewest || distance >= name.length) continue;
    nearest = name;
    fewest = distance;
  }
  return nearest;
}

/**
 * Returns the end of a message about a rejected name: `; did you mean "x"?`, or nothing if no allowed name is close.
 *
 * @param given - the rejected name
 * @param allowed - the allowed names
 */
export function suggestName(given: string, allowed: readonly string[]): string {
  const nearest = findNearestName(given, allowed);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

/**
 * Describes a rejected name as part of a message: the name, the allowed ones, and the nearest one.
 *
 * @param given - the rejected name
 * @param allowed - the allowed names
 */
export function describeUnknownName(given: string, allowed: readonly string[]): string {
  return `${JSON.stringify(given)} is not one of ${allowed.join(', ') || 'none'}${suggestName(given, allowed)}`;
}

/** Ends a sentence with a full stop, unless it already ends with a question. */
export function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/**
 * Computes the number of single-letter edits and swaps of neighbors between two texts. Only the cells of the table that
 * can be below `limit` are computed, because lists of names can be long.
 *
 * @param from - a text
 * @param to - another text
 * @param limit - smallest distance that does not matter
 * @returns the distance; `limit` if it is not smaller
 */
function editDistance(from: string, to: string, limit: number): number {
  let [beforeLast, last, current] = Array.from({ length: 3 }, () => new Uint8Array(to.length + 2).fill(limit)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  for (let column = 0; column < Math.min(limit, to.length + 1); column += 1) last[column] = column;
  for (let row = 1; row <= from.length; row += 1) {
    const begin = Math.max(1, row - limit + 1);
    const end = Math.min(to.length, row + limit - 1);
    current[begin - 1] = begin === 1 ? Math.min(row, limit) : limit;
    let fewest = current[begin - 1] as number;
    for (let column = begin; column <= end; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let edits = (last[column - 1] as number) + cost;
      edits = Math.min(edits, (last[column] as number) + 1, (current[column - 1] as number) + 1, limit);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      }
      current[column] = edits;
      if (edits < fewest) fewest = edits;
    }
    current[end + 1] = limit;
    // A swap continues from the row before the last one.
    if (fewest >= limit && Math.min(...last.subarray(Math.max(0, begin - 2), end + 1)) >= limit) return limit;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[to.length] as number;
}
