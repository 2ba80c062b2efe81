import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** A page of the documentation. */
export interface NavigationPage {
  /** Markdown file or OpenAPI document, relative to the repository root. */
  readonly path: string;
  /** One sentence. */
  readonly about: string;
}

/** The pages for one kind of reader. */
export interface NavigationSection {
  readonly title: string;
  /** One sentence. */
  readonly about: string;
  readonly pages: readonly NavigationPage[];
}

/** A page that is ready for the generator. */
export interface StagedPage {
  /** Markdown file from the top of the site. */
  readonly path: string;
  readonly markdown: string;
}

/** Sections of the documentation, in the order of the sidebar. */
export const navigation: readonly NavigationSection[] = parse(
  readFileSync(fileURLToPath(new URL('navigation.yaml', import.meta.url)), 'utf8'),
);

/** Absolute path of the repository, ending in a slash. */
export const top: string = fileURLToPath(new URL('..', import.meta.url));

/**
 * Finds the title of a page.
 *
 * @param path Markdown file or OpenAPI document, relative to the repository root
 * @returns its first heading, or the title of the document
 * @throws Error if a Markdown file has no heading
 */
export function pageTitle(path: string): string {
  const text = readFileSync(`${top}${path}`, 'utf8');
  if (path.endsWith('.json')) return (JSON.parse(text) as { readonly info: { readonly title: string } }).info.title;
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} has no heading.`);
  return title;
}

/**
 * Converts a path of the repository to one of the site.
 *
 * @param path Markdown file or OpenAPI document, relative to the repository root
 * @returns the page's Markdown file from the top of the site, such as `how-to/server.md`
 */
export function sitePath(path: string): string {
  const [, api] = /^docs\/schemas\/(\w+)-openapi\.json$/.exec(path) ?? [];
  if (api !== undefined) return `reference/${api}-http-api.md`;
  if (path.startsWith('docs/')) return path.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  return path.toLowerCase();
}

/**
 * Converts a path of the repository to an address of the site, as the links of the generator need it.
 *
 * @param path Markdown file or OpenAPI document, relative to the repository root
 * @returns the address without the suffix of the file, such as `/how-to/server`
 */
export function siteAddress(path: string): string {
  return `/${sitePath(path).replace(/(index)?\.md$/, '')}`;
}
