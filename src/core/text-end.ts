/**
 * Leaves out characters at the end of a text. Takes them in one text. A loop in place of a pattern: a search for a run of characters at
 * the end begins again within every other run, so that it takes the square of the length.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
