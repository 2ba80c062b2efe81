import { mkdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentDetailsSchema } from '../../src/contract/document.schema.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { DocumentServer } from './document-server.ts';

/** Output folder for screenshots. No screenshots are taken without it. */
const shotsFolder = process.env['NUDGELAB_SHOTS'];

const desktop = { width: 1280, height: 800 };
const mobile = { width: 390, height: 844 };
const narrowest = { width: 320, height: 640 };
const looks = [
  { colorScheme: 'light', viewport: desktop },
  { colorScheme: 'dark', viewport: desktop },
  { colorScheme: 'dark', viewport: mobile },
  { colorScheme: 'light', viewport: mobile },
] as const;

const manyPages = Array.from({ length: 12 }, (_, index) => ({ content: `Page ${index + 1}: a heron at the harbour.` }));

/** Documents to read, by the names used in the visits. */
const documents = {
  catalogue: () => addFile('pdfkit-catalogue.pdf', 'A catalogue of instruments'),
  arabic: () => addFile('chromium-right-to-left.pdf', 'دليل الميناء'),
  drawings: () => addFile('pdf-lib-without-text.pdf', 'Drawings'),
  long: () => server.add({ title: 'Reports of the harbour office', description: 'Twelve pages.', pages: manyPages }),
  unbroken: () => server.add({ title: 'w'.repeat(120), pages: [{ content: 'https://example.test/'.repeat(40) }] }),
  pending: () => server.add({ title: 'In the making', pages: [{}, {}], timing: { startMs: 0, pageMs: 1_000 } }),
  private: () => server.add({ title: 'Private', public: false, pages: manyPages.slice(0, 2) }),
} as const;

/** Tested states of the reading page: document, query, and the element that shows that the state is reached. */
const visits = [
  ['first', 'catalogue', '', '[data-number="1"] .reading-text'],
  ['second', 'catalogue', '?page=2', '[data-number="2"] .reading-text'],
  ['unknown-page', 'catalogue', '?page=999', '.reading-nav:not(:has([data-to="next"]))'],
  ['right-to-left', 'arabic', '', '.reading-text'],
  ['without-text', 'drawings', '', '.reading-text em'],
  ['in-the-middle', 'long', '?page=7', '.reading-strip [aria-current="page"]'],
  ['hits', 'long', '?page=7&q=heron', '.reading-hits ol'],
  ['no-hits', 'long', '?q=penguin', '.reading-hits[role="status"]'],
  ['empty-search', 'long', '?q=', '.reading-text'],
  ['unbroken', 'unbroken', '?q=example', '.reading-hits ol'],
  ['pending', 'pending', '', 'main:has(.notice[role="status"]):not(:has(form, .reading-nav))'],
  ['private-as-owner', 'private', '?page=2', '[data-number="2"]'],
  ['private-without-right', 'private', null, '[data-page="problem"]'],
] as const;

let server: DocumentServer;
let browser: Browser;
let page: Page;
let complaints: string[] = [];
const sites = new Map<string, string>();

beforeAll(async () => {
  if (shotsFolder !== undefined) mkdirSync(shotsFolder, { recursive: true });
  server = await DocumentServer.start();
  const owner = await server.bearer('ada');
  for (const [name, add] of Object.entries(documents)) {
    const { id } = await add();
    sites.set(name, String((await server.json(`/api/v1/document/${id}/`, owner))['site_url']));
  }
  browser = await sharedBrowser();
  page = await browser.newPage({ viewport: desktop });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
}, 60_000);

afterAll(async () => {
  await page?.close();
  await server?.close();
});

async function addFile(name: string, title: string): Promise<{ readonly id: number }> {
  const bytes = readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));
  const details = documentDetailsSchema.parse({ public: true, owner: 'ada', title });
  return server.sandbox.documents.addFile(Readable.from([bytes]), details, { webp: true });
}

/** Returns the URL of a visit. Without a query, the proof of a private document is omitted as well. */
function getUrl(name: keyof typeof documents, query: string | null): string {
  const site = new URL(sites.get(name) ?? '');
  if (query === null) return `${site.origin}${site.pathname}`;
  for (const [key, value] of new URLSearchParams(query)) site.searchParams.set(key, value);
  return site.href;
}

/** Opens a page in the first color scheme, for the keyboard tests. */
async function open(name: keyof typeof documents, query: string | null): Promise<void> {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  await page.goto(getUrl(name, query));
  complaints = [];
}

function violations(): Promise<readonly unknown[]> {
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ rule: id, at: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`);
}

/** Returns the horizontal overflow of the page in pixels. */
function overflow(): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

async function shoot(title: string): Promise<void> {
  if (shotsFolder !== undefined) await page.screenshot({ path: `${shotsFolder}/reading-${title}.png`, fullPage: true });
}

/** Lists the links and fields that the Tab key does not reach or that show no outline when focused. */
async function unreachable(): Promise<readonly string[]> {
  const stops = await page.evaluate<number>(`
    globalThis.stops = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), [tabindex="0"]')]
      .filter((one) => one.checkVisibility());
    document.activeElement?.blur();
    stops.length`);
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) document.activeElement.dataset.reached = '';
    })()`);
  }
  return page.evaluate('stops.filter(({ dataset }) => dataset.reached === undefined).map((one) => one.outerHTML)');
}

describe('Reading page in a real browser', () => {
  test.for(visits)(
    'axe: %s of %s has no findings, in light and dark mode, wide and narrow',
    { timeout: 20_000 },
    async ([title, name, query, sign]) => {
      await open(name, query);
      expect(await page.locator(sign).count()).toBe(1);
      await page.evaluate(axe.source);
      for (const { colorScheme, viewport } of looks) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await shoot(`${title}-${colorScheme}-${viewport.width}`);
        expect({ colorScheme, viewport, found: await violations(), overflow: await overflow() }).toEqual({
          colorScheme,
          viewport,
          found: [],
          overflow: 0,
        });
      }
      await page.setViewportSize(narrowest);
      expect(await overflow()).toBe(0);
      expect(await unreachable()).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test('D5: arrow keys turn pages and keep the search; scrolling keys and arrows in the search field do not turn pages', async () => {
    await open('long', '?page=2&q=heron');
    for (const [key, number] of [
      ['ArrowRight', 3],
      ['ArrowLeft', 2],
      ['ArrowLeft', 1],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.searchParams.get('page') === String(number));
      expect(new URL(page.url()).searchParams.get('q')).toBe('heron');
    }
    const turned: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && turned.push(request.url()));
    for (const key of ['ArrowLeft', 'PageDown', 'End', 'PageUp', 'Home']) await page.keyboard.press(key);
    await page.locator('input[name="q"]').focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'End', 's']) await page.keyboard.press(key);
    expect(await page.locator('input[name="q"]').inputValue()).toBe('herons');
    expect(turned).toEqual([]);
    expect(await page.locator('main').getAttribute('data-number')).toBe('1');
  });

  test('D5: on a narrow screen the page list and the hit list are next to the current page', async () => {
    await page.setViewportSize(mobile);
    await page.goto(getUrl('long', '?page=12&q=heron'));
    const [start, end] = await page.evaluate<[number, number]>(
      `(({ left, right }) => [left, right])(document.querySelector('.reading-strip [aria-current]').getBoundingClientRect())`,
    );
    expect([start > 0, end < mobile.width]).toEqual([true, true]);
    const isInView = `(({ parentElement: { parentElement: list }, offsetTop }) => offsetTop > list.scrollTop && offsetTop < list.scrollTop + list.clientHeight)(document.querySelector('.reading-hits [aria-current]'))`;
    expect(await page.evaluate(isInView)).toBe(true);
  });

  test('D5: in print the page and its text are black on one sheet each, without screen controls', async () => {
    await open('catalogue', '?page=2&q=bassoon');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await shoot('print');
    const parts = 'header, footer, form, nav a, nav p, .reading-hits, a[download], figure img, .reading-text';
    const shown = await page.evaluate(
      `[...document.querySelectorAll('${parts}')].filter((one) => one.checkVisibility()).map(({ localName }) => localName)`,
    );
    expect(shown).toEqual(['p', 'img', 'article']);
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('main')))`;
    expect(await page.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    const printed = await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } });
    expect(printed.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  });
});
