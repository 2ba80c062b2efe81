/**
 * Lists what an edition changes, from the sentences of its rules and of those before it: new sentences, and those that no
 * longer hold. Headings that end with a colon only introduce other lines.
 *
 * @param before - sentences of the rules before the edition
 * @param next - sentences of its rules
 */
export function describeChanges(before: readonly string[], next: readonly string[]): readonly string[] {
  const added = next.filter((line) => !before.includes(line));
  const removed = before.filter((line) => !next.includes(line) && !line.endsWith(':'));
  const changed = [...added, ...removed.map((line) => `No longer: ${line.trim()}`)];
  return changed.length === 0 ? ['No rule changes.'] : changed;
}
