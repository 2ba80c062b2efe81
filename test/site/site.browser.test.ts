import { spawnSync } from 'node:child_process';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtSite, type RunningDocs, startDocs } from '../../src/server/docs-site.ts';
import { nonEmpty } from '../non-empty.ts';
import { sharedBrowser } from '../shared-browser.ts';

/** Time to build the site on a busy machine, in ms. */
const buildTimeoutMs = 180_000;

let docs: RunningDocs;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tooling/site.ts'], { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  docs = await startDocs(builtSite(null), 0);
}, buildTimeoutMs);

afterAll(async () => {
  await docs.close(500);
});

beforeEach(async () => {
  const browser = await sharedBrowser();
  page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  complaints.length = 0;
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(docs.baseUrl) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
});

afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

/** Violations that axe finds on the page, a line each. */
async function violations(): Promise<unknown> {
  // Animated elements then have their final colors.
  await page.waitForLoadState('networkidle');
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + (any[0]?.message ?? ''))))`,
  );
}

describe('the documentation site in a browser', { timeout: 240_000 }, () => {
  it.for([
    ['/', 'NudgeLab'],
    ['/how-to/scenarios.html', 'Write scenarios'],
    ['/reference/policy-http-api.html', 'Policy API'],
    ['/playground.html', 'Playground'],
  ] as const)(
    '084: %s has no accessibility violation in light and dark, on wide and narrow screens',
    async ([path, heading]) => {
      await page.goto(`${docs.baseUrl}${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1_280, 390]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: 900 });
          expect([path, colorScheme, width, await violations()]).toEqual([path, colorScheme, width, []]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        }
      }
    },
  );

  it.for(['/', '/tutorial.html', '/how-to/console.html', '/how-to/forecast.html', '/how-to/ci.html'])(
    '084: %s shows its pictures in the chosen color scheme, each with a text',
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${docs.baseUrl}${path}`);
        const visible = page.locator('img.picture:visible');
        await visible.first().waitFor();
        for (const picture of nonEmpty(await visible.all())) {
          expect(await picture.getAttribute('src')).toContain(`-${colorScheme}.`);
          expect(await picture.getAttribute('alt')).toMatch(/\w{3}/);
          await expect
            .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
            .toBeGreaterThan(0);
        }
      }
    },
  );

  it('084: the first page loads less than 100 kB of script', async () => {
    await page.goto(`${docs.baseUrl}/`);
    await page.waitForLoadState('networkidle');
    const bytes = await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
        .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0)`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(100_000);
  });

  it('084: the search finds a page offline and opens it', async () => {
    await page.goto(`${docs.baseUrl}/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('transition coverage');
    await page.getByRole('option').filter({ hasText: 'Cover transitions' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Cover transitions' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/how-to/transition-coverage.html');
  });

  it('084: the playground evaluates sign-ins in the browser, and its address contains the settings', async () => {
    await page.goto(`${docs.baseUrl}/playground.html`);
    await page.getByText('Prompted; may skip (3 of 3 snoozes left)', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByText('State snoozed, 1 snoozes, 2 left').first().waitFor();
    await page.getByLabel('Targeted method').selectOption('fido2');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Not prompted: snoozed').first().waitFor();
    for (const name of ['+1 day', 'Sign in', 'Register']) await page.getByRole('button', { name }).click();
    await page.getByText('State registered').first().waitFor();
    const scenario = await page.locator('.playground-scenario').innerText();
    expect(scenario).toContain('register: {}');
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByText('State registered').first().waitFor();
    expect(await page.locator('.playground-scenario').innerText()).toBe(scenario);
  });

  it('084: a page reached by a link has the same text as the page sent by a server', async () => {
    await page.goto(`${docs.baseUrl}/rules.html`);
    const sent = await page.locator('main .vp-doc').innerText();
    await page.goto(`${docs.baseUrl}/assumptions.html`);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    expect(sent.length).toBeGreaterThan(1_000);
    expect(await page.locator('main .vp-doc').innerText()).toBe(sent);
  });
});
