import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { llmsFull, llmsIndex } from './llms.ts';
import {
  type NavigationPage,
  navigation,
  pageTitle,
  type StagedPage,
  siteAddress,
  sitePath,
  top,
} from './navigation.ts';
import { type OpenApiDocument, openApiPage } from './openapi-page.ts';

/** The page on which rules and state machines run in the browser. */
const playground = `# Playground

Choose a ruleset, a tenant, a user and a device, and sign in. The ruleset is a built-in one, an example, or one that you write. Rules and state machines of NudgeLab run in this page; no server is involved, and what you write stays in the page and its address.

<ClientOnly><PlaygroundPage /></ClientOnly>
`;

/**
 * Writes everything that the site is generated from: the Markdown of the repository, the pages of the HTTP APIs, the first page,
 * the plain Markdown of each page, `llms.txt` and `llms-full.txt`.
 *
 * @param folder an empty folder
 * @returns the number of pages
 */
export function stageSite(folder: string): number {
  const listed = navigation.flatMap(({ pages }) => pages);
  const decisions = globSync('docs/decisions/*.md', { cwd: top }).map((path) => ({ path, about: '' }));
  const inNavigation = new Set(listed.map(({ path }) => path));
  const sources = [...listed, ...decisions.filter(({ path }) => !inNavigation.has(path)).toSorted(byPath)];
  const known = new Set(sources.map(({ path }) => path));
  const pages = sources.map(({ path }) => stagedPage(path, known));
  for (const { path, markdown } of [...pages, { path: 'index.md', markdown: firstPage() }]) {
    write(join(folder, path), withoutMarkup(markdown));
  }
  write(join(folder, 'playground.md'), playground);
  for (const { path, markdown } of pages) write(join(folder, 'public', path), markdown);
  write(join(folder, 'public/llms.txt'), llmsIndex());
  write(join(folder, 'public/llms-full.txt'), llmsFull(pages));
  for (const { path } of listed.filter(isOpenApi)) {
    cpSync(join(top, path), join(folder, 'public/openapi', posix.basename(path)));
  }
  cpSync(join(top, 'site/site.css'), join(folder, 'public/site.css'));
  cpSync(join(top, 'docs/benchmarks.svg'), join(folder, 'benchmarks.svg'));
  cpSync(join(top, 'docs/pictures'), join(folder, 'public/pictures'), { recursive: true });
  return pages.length + 2;
}

function byPath(left: NavigationPage, right: NavigationPage): number {
  return left.path < right.path ? -1 : 1;
}

function isOpenApi({ path }: NavigationPage): boolean {
  return path.endsWith('.json');
}

function stagedPage(path: string, known: ReadonlySet<string>): StagedPage {
  const text = readFileSync(join(top, path), 'utf8');
  if (!path.endsWith('.json')) return { path: sitePath(path), markdown: withSiteLinks(text, path, known) };
  return { path: sitePath(path), markdown: openApiPage(JSON.parse(text) as OpenApiDocument, posix.basename(path)) };
}

/**
 * Rewrites the links of a page for the site. A link to another page keeps its target; a link to a source file, which the site
 * does not have, becomes its text.
 *
 * @param text Markdown of the page
 * @param path the page, relative to the repository root
 * @param known pages of the site, relative to the repository root
 * @returns the page's Markdown for the site
 */
export function withSiteLinks(text: string, path: string, known: ReadonlySet<string>): string {
  const parts = text.split(/(^```[\s\S]*?^```)/m);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, label, target) => {
            if (/^(https?:|mailto:|#)/.test(target) || image === '!') return whole;
            const [file = '', anchor] = target.split('#');
            const source = posix.join(posix.dirname(path), file);
            // A dead link is kept, so the generator reports it.
            if (known.has(source)) return `[${label}](/${sitePath(source)}${anchor === undefined ? '' : `#${anchor}`})`;
            return file.endsWith('.md') ? whole : label;
          }),
    )
    .join('');
}

/** A picture with a dark and a light version, as the Markdown of the repository has it. */
const pictureElement =
  /<picture>\s*<source [^>]*srcset="[^"]*pictures\/([\w.-]+)">\s*<img alt="([^"]*)" src="[^"]*pictures\/([\w.-]+)"[^>]*>\s*<\/picture>/g;

/**
 * Converts the pictures of a page to images of the site, one for each color scheme, because its readers can choose a scheme that
 * their system does not have.
 *
 * @param markdown Markdown of the repository
 * @returns Markdown of the site
 */
export function withSitePictures(markdown: string): string {
  const image = (file: string, alt: string, scheme: string): string =>
    `![${alt}](/pictures/${file}){.picture .picture-${scheme}}`;
  return markdown.replaceAll(
    pictureElement,
    (_whole, dark: string, alt: string, light: string) => `${image(light, alt, 'light')}${image(dark, alt, 'dark')}`,
  );
}

/** Escapes text outside code that Vue would parse as an element or an expression, and removes comments. */
function withoutMarkup(markdown: string): string {
  return withSitePictures(markdown)
    .split(/(^```[\s\S]*?^```|`[^`\n]*`)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/<!--[\s\S]*?-->/g, '')
            .replaceAll(/<([a-z/])/gi, '&lt;$1')
            .replaceAll('{{', '&#123;&#123;'),
    )
    .join('');
}

/** Start page with a description of the product and a card for each kind of reader. */
function firstPage(): string {
  const features = navigation.map(({ title, about, pages: [first] }) => ({
    title,
    details: about,
    ...(first === undefined ? {} : { link: siteAddress(first.path), linkText: pageTitle(first.path) }),
  }));
  const front = {
    layout: 'home',
    title: 'NudgeLab',
    titleTemplate: 'Test harness for registration campaigns',
    hero: {
      name: 'NudgeLab',
      text: 'Test harness for registration campaigns',
      tagline:
        'Simulate the prompt after multifactor sign-in that asks a user to set up a stronger method: offline, with a virtual clock, ' +
        'and with an explanation of every decision.',
      actions: [
        { theme: 'brand', text: 'Start the tutorial', link: '/tutorial' },
        { theme: 'alt', text: 'Open the playground', link: '/playground' },
      ],
    },
    features,
  };
  const [recording = ''] = readFileSync(join(top, 'README.md'), 'utf8').match(pictureElement) ?? [];
  return `---\n${JSON.stringify(front, null, 2)}\n---\n\n${recording}\n`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
