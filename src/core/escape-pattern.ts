/** Escapes the characters of a text that have a meaning in regular expressions. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
