const wordOrPhrase = /"([^"]+)"|([^\s"]+)/g;
const letterOrDigit = /[\p{L}\p{N}]/u;
const wordsMax = 32;

/**
 * Converts typed text to an expression of the full-text index: all words, with phrases in quotation marks. Returns
 * `null` if the text contains no word, because then nothing can match.
 */
export function parseSearchExpression(typed: string): string | null {
  const terms = [...typed.replaceAll('\0', ' ').matchAll(wordOrPhrase)].map(([, phrase, word]) => phrase ?? word ?? '');
  const words = terms.filter((term) => letterOrDigit.test(term)).slice(0, wordsMax);
  return words.length === 0 ? null : words.map((word) => `"${word}"`).join(' ');
}
