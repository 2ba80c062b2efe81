import type { HandOver } from './provider-pages.ts';

const title = '<title>Submitting Callback</title>';
const action = /<form method="post" action="([^"]*)">/;
const input = /<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

/**
 * Parses the provider's page that sends a response with a form (`response_mode=form_post`). The original page submits
 * itself with an inline script, which pages of this server do not allow. Returns `null` for any other page.
 */
export function readHandOver(document: string): HandOver | null {
  const target = document.includes(title) ? action.exec(document)?.[1] : undefined;
  if (target === undefined) return null;
  const fields = Array.from(document.matchAll(input), ([, name = '', value = '']) => [name, plain(value)] as const);
  return { action: plain(target), fields };
}

function plain(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (entity) => characters[entity] ?? entity);
}
