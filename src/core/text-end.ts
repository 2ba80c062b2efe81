/**
 * Removes all trailing characters that are contained in `characters`. It uses a loop because a regular expression
 * would take quadratic time: it starts a new search within every other run of such characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
