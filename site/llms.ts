import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { navigation, pageTitle, type StagedPage, sitePath, top } from './navigation.ts';

/** Names the product and each page with one sentence, in the format of llmstxt.org. */
export function llmsIndex(): string {
  const { description } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly description: string;
  };
  const blocks = navigation.flatMap(({ title, pages }) => [
    `## ${title}`,
    pages.map(({ path, about }) => `- [${pageTitle(path)}](/${sitePath(path)}): ${about}`).join('\n'),
  ]);
  return `${['# NudgeLab', `> ${description}`, ...blocks].join('\n\n')}\n`;
}

/** Joins the Markdown of all pages, each below its address. */
export function llmsFull(pages: readonly StagedPage[]): string {
  return `${pages.map(({ path, markdown }) => `<page path="/${path}">\n\n${markdown.trim()}\n\n</page>`).join('\n\n')}\n`;
}
