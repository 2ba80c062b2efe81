import { html } from 'ghtml';
import type { DocumentSummary, GivenPage } from '../../contract/document.schema.ts';
import { formatCount } from '../../core/format-count.ts';
import { layout, type PageTenant } from '../identity/pages/layout.ts';
import { marked, snippet } from './marked-text.ts';
import { readingScriptPath, readingStylesheetPath } from './reading-assets.ts';

/** Page of the document that matches a search. */
export interface Hit {
  readonly number: number;
  readonly content: string;
}

/** Content of the reading page. */
export interface ReadingView {
  readonly tenant: PageTenant;
  readonly document: DocumentSummary;
  /** Number of available pages, which is lower than the total while the document is processed. */
  readonly shownPages: number;
  readonly number: number;
  /** Displayed page. `null` if it is not available yet. */
  readonly page: GivenPage | null;
  readonly query: string;
  /** Pages that match the search. `null` without a search. */
  readonly hits: { readonly rows: readonly Hit[]; readonly total: number } | null;
  /** Returns the URL of a page of this document, including the search words and the access token. */
  readonly at: (number: number) => string;
  /** Access token as form fields, which the search form includes. */
  readonly proof: readonly (readonly [string, string])[];
}

/** Renders the page at `site_url` with cover, page image, text, search, and links to all other pages. */
export function readingPage(view: ReadingView): string {
  const { tenant, document } = view;
  return layout({
    title: document.title,
    part: 'documents',
    name: 'document',
    marks: html` data-document="${document.id}" data-number="${view.number}"`,
    tenant,
    ownStylesheet: readingStylesheetPath,
    ownScript: readingScriptPath,
    body: [head(view), search(view), hitList(view), ways(view), sheet(view), strip(view)].join('\n'),
  });
}

function head({ document, shownPages }: ReadingView): string {
  const { title, description, cover_image: cover, file_url: file, num_pages: pages, pending } = document;
  const notice = pending
    ? html`<p class="notice" role="status">This document is being processed: ${shownPages} of ${pages} pages are ready.</p>`
    : '';
  return html`<div class="reading-head">
<img src="${cover}" alt="" width="180">
<div>
<h1 dir="auto">${title}</h1>
!${description === '' ? '' : html`<p dir="auto">${description}</p>`}
<p class="reading-file">${formatCount(pages, 'page')} · <a href="${file}" download>Download the PDF</a></p>
!${notice}
</div>
</div>`;
}

function search({ query, proof, shownPages }: ReadingView): string {
  if (shownPages === 0) return '';
  const hidden = proof.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`).join('');
  return html`<form class="reading-search" method="get" action="?" role="search">
<label for="words">Search in this document</label>
!${hidden}
<div><input id="words" name="q" type="search" value="${query}" autocomplete="off"><button type="submit" class="secondary">Search</button></div>
</form>`;
}

function hitList({ hits, query, number: shown, at }: ReadingView): string {
  if (hits === null) return '';
  if (hits.total === 0) return html`<p class="reading-hits" role="status">No pages contain “${query}”.</p>`;
  const rows = hits.rows
    .map(({ number, content }) => {
      const current = number === shown ? ' aria-current="page"' : '';
      return html`<li><a href="${at(number)}"!${current}>Page ${number}</a> <span dir="auto">!${snippet(content, query)}</span></li>`;
    })
    .join('\n');
  const listed = hits.rows.length < hits.total ? html` Showing the first ${hits.rows.length}.` : '';
  return html`<section class="reading-hits" aria-label="Search results">
<p role="status">${formatCount(hits.total, 'page contains', 'pages contain')} “${query}”.!${listed}</p>
<ol>
!${rows}
</ol>
</section>`;
}

function ways({ number, shownPages, at }: ReadingView): string {
  if (shownPages === 0) return '';
  const way = (to: number, name: keyof typeof wayTexts, isThere: boolean): string => {
    const key = name === 'prev' ? 'ArrowLeft' : name === 'next' ? 'ArrowRight' : null;
    const shortcut = key === null ? '' : ` aria-keyshortcuts="${key}"`;
    return isThere
      ? html`<a href="${at(to)}" data-to="${name}" rel="${name}"!${shortcut}>${wayTexts[name]}</a>`
      : html`<span aria-hidden="true">${wayTexts[name]}</span>`;
  };
  return html`<nav class="reading-nav" aria-label="Pages">
<div>!${way(1, 'first', number > 1)}!${way(number - 1, 'prev', number > 1)}</div>
<p>Page <strong>${number}</strong> of ${shownPages}</p>
<div>!${way(number + 1, 'next', number < shownPages)}!${way(shownPages, 'last', number < shownPages)}</div>
</nav>`;
}

const wayTexts = { first: 'First', prev: 'Previous', next: 'Next', last: 'Last' } as const;

/** Renders the page image in the size that the screen needs, with its text for screen readers. */
function sheet({ page, number, document, query }: ReadingView): string {
  if (page === null) return '';
  const address = (size: string): string =>
    decodeBraces(document.page_template).replace('{page}', String(number)).replace('{size}', size);
  const sources = (form: (address: string) => string): string =>
    [
      `${form(address('normal'))} 700w`,
      `${form(address('large'))} 1000w`,
      `${form(address('original'))} ${page.width}w`,
    ].join(', ');
  const webp = document.properties._format_webp
    ? html`<source type="image/webp" srcset="${sources(asWebp)}" sizes="${sizes}">`
    : '';
  return html`<div class="reading-page">
<figure>
<a href="${address('original')}"><picture>!${webp}<img src="${address('normal')}" srcset="${sources((png) => png)}" sizes="${sizes}" width="${page.width}" height="${page.height}" alt="Page ${number} as an image; its text follows."></picture></a>
</figure>
<article aria-label="Text of page ${number}" class="reading-text" dir="auto">!${page.content === '' ? '<em>This page has no text.</em>' : marked(page.content, query)}</article>
</div>`;
}

const sizes = '(min-width: 64rem) 50rem, 100vw';
const stripPages = 9;

/** Renders thumbnails of the neighboring pages. */
function strip({ number, shownPages, document, at }: ReadingView): string {
  if (shownPages < 2) return '';
  const from = Math.max(1, Math.min(number - Math.floor(stripPages / 2), shownPages - stripPages + 1));
  const count = Math.min(stripPages, shownPages);
  const items = Array.from({ length: count }, (_, index) => from + index).map((page) => {
    const image = decodeBraces(document.page_template).replace('{page}', String(page)).replace('{size}', 'small');
    const current = page === number ? ' aria-current="page"' : '';
    return html`<li><a href="${at(page)}"!${current}><img src="${image}" alt="" width="180" loading="lazy">Page ${page}</a></li>`;
  });
  return html`<nav class="reading-near" aria-label="Nearby pages"><ol class="reading-strip">!${items.join('')}</ol>
<p class="note">Use the left and right arrow keys to turn the page.</p></nav>`;
}

function decodeBraces(template: string): string {
  return template.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

/** Returns the URL of the WebP version of an image, which has `.webp` appended to its path. */
function asWebp(address: string): string {
  return address.replace(/\.png(?=\?|$)/, '.png.webp');
}
