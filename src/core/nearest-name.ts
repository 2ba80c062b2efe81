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
    const distance = editDistance(wanted, name.toLowerCase());
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

/** Computes the number of single-letter edits and swaps of neighbors between two texts. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const edits = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) edits.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...edits));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
