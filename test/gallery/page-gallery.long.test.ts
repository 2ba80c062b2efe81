import { html } from 'ghtml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../machines/sign-in.machine.ts';
import { pageControls } from '../../src/contract/page-controls.ts';
import { PageGallery } from '../../src/gallery/page-gallery.ts';
import type { GalleryVersion, GalleryView } from '../../src/server/gallery-service.ts';
import { applicationPages, pagesAround } from '../../src/server/identity/pages/page-names.ts';
import { english, type TextKey } from '../../src/server/identity/texts/english.ts';
import { nonEmpty } from '../non-empty.ts';

/** Pages of other parts of the server, which are only in English. */
const otherParts = ['console-sign-in', 'console-sign-out', 'document', 'profile', 'lookup-sign-in', 'lookup-tokens'];

const plain: GalleryVersion = { brand: 'plain', language: 'en', scheme: 'light' };

let gallery: PageGallery;
let view: GalleryView;
/** HTML of each state in English. */
let documents: ReadonlyMap<string, string>;

beforeAll(async () => {
  gallery = new PageGallery();
  view = await gallery.list();
  const rows = view.states.map(async ({ state }) => [state, await gallery.page(state, plain)] as const);
  documents = new Map(await Promise.all(rows));
}, 120_000);

afterAll(() => gallery.close());

/** Constant parts of a text in the syntax of its catalog. A text with variants needs one of them. */
function listVariants(text: string): readonly (readonly string[])[] {
  const variants = text.startsWith('.') ? [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, inner = '']) => inner) : [text];
  return variants.map((variant) =>
    variant
      .split(/\{[^{}]*\}/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

/** Returns `true` if a page contains the constant parts of a text, or of one of its variants. */
function shows(document: string, text: string): boolean {
  return listVariants(text).some((parts) => parts.every((part) => document.includes(html`${part}`)));
}

describe('gallery of the sign-in pages', () => {
  it('086: it has every screen of the sign-in machine, and every page of the table of pages', () => {
    const reached = new Set(view.states.map(({ screen }) => screen));
    expect(nonEmpty(screens.filter((screen) => reached.has(screen)))).toEqual(screens);
    const pages = new Set(view.states.map(({ page }) => page));
    const table = [...Object.keys(pageControls), ...applicationPages, ...pagesAround];
    expect(table.filter((page) => !(pages.has(page) || otherParts.includes(page)))).toEqual([]);
  });

  it('086: every control of the table occurs on its page in some state', () => {
    const missing = nonEmpty(Object.entries(pageControls)).flatMap(([page, controls]) => {
      const shown = view.states.filter((state) => state.page === page).map(({ state }) => documents.get(state) ?? '');
      return controls
        .filter((control) => !shown.some((document) => document.includes(`data-control="${control}"`)))
        .map((control) => `${page}: ${control}`);
    });
    expect(missing).toEqual([]);
  });

  it('086: every text of the catalog is shown by some state, so each state of a page has a recipe', async () => {
    const branded = await gallery.page('prompt-app', { ...plain, brand: 'dark-color' });
    const all = [...documents.values(), branded];
    const missing = (Object.keys(english) as TextKey[]).filter((key) => {
      const [page] = key.split('.');
      const own = view.states.filter((state) => state.page === page).map(({ state }) => documents.get(state) ?? '');
      return !(own.length > 0 ? own : all).some((document) => shows(document, english[key]));
    });
    expect(missing).toEqual([]);
    expect(all.some((document) => shows(document, 'A text that no page has, {$name}.'))).toBe(false);
  });

  it('086: every state has a unique name, a start path, and a step for each action', () => {
    const names = view.states.map(({ state }) => state);
    expect(names).toEqual([...new Set(names)]);
    for (const { state, path, steps, sandbox } of nonEmpty(view.states)) {
      expect([state, steps.length > 0, Object.keys(sandbox)]).toEqual([
        state,
        true,
        expect.arrayContaining(['tenant', 'users', 'clock']),
      ]);
      expect(
        steps.some((step) => step.includes(path)),
        state,
      ).toBe(true);
    }
    const { steps } = view.states.find(({ state }) => state === 'password-wrong') ?? { steps: [] };
    expect(steps.slice(1)).toEqual([
      'Enter "ada@example.test" in "Username", and select "Next".',
      'Enter "x" in "Password", and select "Sign in".',
    ]);
  });

  it('086: a page of the gallery has no script, token, or link to the server', () => {
    for (const [state, document] of nonEmpty([...documents])) {
      expect([
        state,
        /<script|<link rel="stylesheet"|data-options|autofocus|localhost:[0-9]{2}/.exec(document),
      ]).toEqual([state, null]);
      expect([state, /type="hidden"[^>]* value=/.test(document)]).toEqual([state, false]);
    }
  });

  it('086: a version has its brand, language and color scheme', async () => {
    const document = await gallery.page('prompt-app', { brand: 'dark-color', language: 'ar', scheme: 'dark' });
    expect(document).toContain('<html lang="ar" dir="rtl">');
    expect(document).toContain('Tide &#38; Sons Shipping');
    expect(document).toContain('background: #0a7a5a');
    expect(document).toContain('@media all');
    expect(document).not.toContain('prefers-color-scheme');
    expect(documents.get('prompt-app')).toContain('@media not all');
  });

  it('not-found: an unknown state is rejected', async () => {
    await expect(gallery.page('nowhere', plain)).rejects.toMatchObject({ code: 'not-found' });
  });
});
