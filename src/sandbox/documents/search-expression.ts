const wordOrPhrase = /"([^"]+)"|([^\s"]+)/g;
const letterOrDigit = /[\p{L}\p{N}]/u;
const wordsMax = 32;

/**
 * An expression of the full-text index for what someone typed: all words, and phrases between quotation marks. Returns `null`
 * where there is no word in it, which nothing can match.
 */
export function parseSearchExpression(typed: string): string | null {
  const terms = [...typed.replaceAll('\0', ' ').matchAll(wordOrPhrase)].map(([, phrase, word]) => phrase ?? word ?? '');
  const words = terms.filter((term) => letterOrDigit.test(term)).slice(0, wordsMax);
  return words.length === 0 ? null : words.map((word) => `"${word}"`).join(' ');
}
