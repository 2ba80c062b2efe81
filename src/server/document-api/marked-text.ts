import { html } from 'ghtml';

const wordOrPhrase = /"([^"]+)"|([^\s"]+)/g;
const special = /[.*+?^${}()|[\]\\]/g;
const snippetCharacters = 160;

/** Converts a text to HTML with the search words highlighted. */
export function marked(text: string, query: string): string {
  const words = createPattern(query);
  if (words === null) return html`${text}`;
  let at = 0;
  let written = '';
  for (const match of text.matchAll(words)) {
    written += html`${text.slice(at, match.index)}<mark>${match[0]}</mark>`;
    at = match.index + match[0].length;
  }
  return written + html`${text.slice(at)}`;
}

/** Returns the text around the first match as HTML with the search words highlighted. */
export function snippet(text: string, query: string): string {
  return marked(excerpt(text, query), query);
}

/** Returns the text around the first match, with ellipses where it is truncated. */
export function excerpt(text: string, query: string): string {
  const found = createPattern(query)?.exec(text)?.index ?? 0;
  const from = Math.max(0, found - snippetCharacters / 2);
  const part = text.slice(from, from + snippetCharacters).replaceAll('\n', ' ');
  return `${from > 0 ? '… ' : ''}${part}${from + snippetCharacters < text.length ? ' …' : ''}`;
}

function createPattern(query: string): RegExp | null {
  const terms = [...query.matchAll(wordOrPhrase)].map(([, phrase, word]) => (phrase ?? word ?? '').trim());
  const words = terms
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => term.replace(special, String.raw`\$&`));
  if (words.length === 0) return null;
  const alternatives = words.map((word) => word.replace(/\s+/g, String.raw`\s+`)).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?![\p{L}\p{N}])`, 'giu');
}
