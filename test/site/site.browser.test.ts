import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

  it('OC46: the playground signs in under an example, with its answers as buttons and its words', async () => {
    await page.goto(`${docs.baseUrl}/playground.html`);
    await page.getByLabel('Evaluated by').selectOption('passkey-week');
    await page.getByText('In use: A passkey prompt at most once a week (base own). No faults.').waitFor();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Not prompted: the prompt is snoozed').first().waitFor();
    const window = page.getByRole('textbox', { name: 'window', exact: true });
    await window.fill('an hour');
    await window.press('Enter');
    await page.getByText('tenant.settings.window: "an hour" is no duration').waitFor();
    expect(await window.getAttribute('aria-invalid')).toBe('true');
    await window.fill('0');
    await window.press('Enter');
    await page.getByText('State prompted').first().waitFor();
    expect(await page.locator('.playground-scenario').innerText()).toContain('ruleset: ./passkey-week.ruleset.yaml');
    expect(await violations()).toEqual([]);
  });

  it('OC16: a ruleset is edited by keyboard, its faults lead to their places, and its link carries it', async () => {
    await page.goto(`${docs.baseUrl}/playground.html#ruleset=passkey-90-days`);
    await page.getByText('In use: A passkey prompt that is turned down for 90 days').waitFor();
    await page.getByText('Text of the ruleset').press('Enter');
    const field = page.getByLabel('YAML of the ruleset');
    const text = await field.inputValue();
    await field.fill(text.replace('every: 90d', 'every: 90').replace('label: Not now', 'label: Later'));
    await page.getByText('changes that are not in use yet').waitFor();
    await field.press('Control+Enter');
    await page.getByText('1 fault. Correct each location').waitFor();
    const line = text.split('\n').findIndex((one) => one.includes('every: 90d')) + 1;
    await page.getByRole('button', { name: `Line ${line}, column` }).press('Enter');
    expect(await field.evaluate('document.activeElement.id')).toBe('playground-ruleset-text');
    const cursor = await field.evaluate((one: { selectionStart: number }) => one.selectionStart);
    expect((await field.inputValue()).slice(cursor)).toMatch(/^90 }/);
    const faulty = page.url();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 390, height: 900 });
      expect([colorScheme, await violations()]).toEqual([colorScheme, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await field.fill((await field.inputValue()).replace('every: 90', 'every: 90d'));
    await page.getByRole('button', { name: 'Check and use' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('State snoozed').first().waitFor();
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByText('State snoozed').first().waitFor();
    expect(await field.inputValue()).toContain('label: Later');
    await page.goto('about:blank');
    await page.goto(faulty);
    await page.getByText('1 fault. Correct each location').waitFor();
  });

  it('RS34: the playground says what to do about a gate module, an empty text and a broken link', async () => {
    await page.goto(`${docs.baseUrl}/playground.html`);
    await page.getByLabel('Evaluated by').selectOption('yaml');
    await page.getByText('Paste the YAML of a ruleset below').waitFor();
    expect(await page.getByRole('button', { name: 'Check and use' }).isDisabled()).toBe(true);
    await page.getByLabel('YAML of the ruleset').fill(readFileSync('rulesets/agency-addresses.ruleset.yaml', 'utf8'));
    await page.getByRole('button', { name: 'Check and use' }).click();
    await page.getByText('the playground runs no gate modules').waitFor();
    expect(await page.getByRole('heading', { name: 'Timeline' }).count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(`${docs.baseUrl}/playground.html#ruleset=yaml&text=broken`);
    await page.getByText('The link has no readable ruleset').waitFor();
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
