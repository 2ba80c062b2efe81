import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageControls } from '../../src/contract/page-controls.ts';
import { nonEmpty } from '../non-empty.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { type PageVisit, pageVisits } from './page-visits.ts';
import { type Site, startSite } from './site.ts';

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

let site: Site;
let arabicSite: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[] = [];
/** Response for the next visit to its URL. */
let shown: { readonly address: string; readonly body: string; readonly headers: Record<string, string> } | null = null;

beforeAll(async () => {
  if (shotsFolder !== undefined) mkdirSync(shotsFolder, { recursive: true });
  site = await startSite();
  arabicSite = await startSite('ar');
  browser = await sharedBrowser();
  context = await browser.newContext({ viewport: desktop });
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // A single route serves the whole run, because a request that is in progress while its route is removed may hang.
  await page.route('**/*', (route) => {
    if (shown?.address !== route.request().url()) return route.continue();
    const { body, headers } = shown;
    shown = null;
    return route.fulfill({ body, headers });
  });
}, 60_000);

afterAll(async () => {
  await context?.close();
  await site?.close();
  await arabicSite?.close();
});

/** Displays a page with its own content security policy. Stylesheet, script and images come from the server. */
async function open(visit: PageVisit, at: Site = site): Promise<void> {
  const { address, text, policy } = await visit.reach(at);
  complaints = [];
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  shown = { address, body: text, headers };
  await page.goto(address);
}

interface Violation {
  readonly rule: string;
  readonly at: readonly string[];
}

/** Returns the findings of axe by rule and element. */
function violations(): Promise<readonly Violation[]> {
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ rule: id, at: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`);
}

/** Returns the horizontal overflow of the page in pixels. */
function overflow(): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Returns the levels of the visible headings in order. */
function headings(): Promise<readonly number[]> {
  return page.evaluate(
    `[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))`,
  );
}

const markFocusable = `
  globalThis.named = (one) => one === null ? 'nothing' : one.tagName + ' ' + (one.id || one.value || one.textContent).trim().slice(0, 40);
  globalThis.focusable = () => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
    .filter((one) => one.checkVisibility() && !one.disabled)
    .filter((one) => one.type !== 'radio' || one.checked || !document.querySelector('input[name="' + one.name + '"]:checked'))
    .map(named);
  const start = document.querySelector('header');
  start.tabIndex = -1;
  start.focus();
  start.removeAttribute('tabindex');
  focusable()`;

/** Script that returns the focused element and the width of its outline in pixels. */
const focused = `(() => {
  const style = getComputedStyle(document.activeElement);
  return [named(document.activeElement), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)];
})()`;

/** Moves through a page with the Tab key. Returns each focused element with the width of its outline in pixels. */
async function tabbedThrough(stops: number): Promise<readonly (readonly [string, number])[]> {
  const seen: (readonly [string, number])[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(focused));
  }
  return seen;
}

async function shoot(title: string, { colorScheme, viewport }: (typeof looks)[number]): Promise<void> {
  if (shotsFolder === undefined) return;
  const size = viewport === mobile ? 'mobile' : 'desktop';
  await page.screenshot({ path: `${shotsFolder}/${title}-${colorScheme}-${size}.png`, fullPage: true });
}

describe('every page in a real browser', () => {
  test('pages: every visit has its own title', () => {
    const titles = nonEmpty(pageVisits).map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });

  test.for(nonEmpty(pageVisits))(
    'axe: $title has no findings, in light and dark mode, wide and narrow',
    { timeout: 60_000 },
    async (visit) => {
      await open(visit);
      expect(await page.locator('main').getAttribute('data-page')).toBe(visit.page);
      await page.evaluate(axe.source);
      for (const look of looks) {
        await page.setViewportSize(look.viewport);
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await shoot(visit.title, look);
        expect({ look, found: await violations() }).toEqual({ look, found: [] });
        expect({ look, overflow: await overflow() }).toEqual({ look, overflow: 0 });
      }
      // WCAG 1.4.10 requires content to fit a window of this width without scrolling in two dimensions.
      await page.setViewportSize(narrowest);
      expect(await overflow()).toBe(0);
      const levels = await headings();
      expect(levels[0]).toBe(1);
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
      const stops = await page.evaluate<readonly string[]>(markFocusable);
      const seen = await tabbedThrough(stops.length);
      expect(seen.map(([stop]) => stop)).toEqual(stops);
      expect(seen.filter(([, outlinePx]) => outlinePx < 2)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test.for(nonEmpty(pageVisits.filter(({ page: named }) => Object.hasOwn(pageControls, named))))(
    'axe: $title has no findings in Arabic, from right to left',
    { timeout: 60_000 },
    async (visit) => {
      await open(visit, arabicSite);
      expect(await page.evaluate('getComputedStyle(document.querySelector("main")).direction')).toBe('rtl');
      await page.evaluate(axe.source);
      for (const look of nonEmpty(looks.filter(({ viewport }) => viewport === mobile))) {
        await page.setViewportSize(look.viewport);
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await shoot(`${visit.title}-ar`, look);
        expect({ look, found: await violations() }).toEqual({ look, found: [] });
      }
      await page.setViewportSize(narrowest);
      expect(await overflow()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );
});
