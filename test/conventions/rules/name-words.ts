/** Splits a name into its words, in lower case and between hyphens: `-token-desk-` for `tokenDesk`. */
export function splitName(name: string): string {
  return `-${name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase()}-`;
}

/** Checks whether a split name includes a word in the singular or the plural. */
export function includesWord(split: string, word: string): boolean {
  return split.includes(`-${word}-`) || split.includes(`-${word}s-`);
}
