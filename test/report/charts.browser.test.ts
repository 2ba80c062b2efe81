import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { comparisonHtml } from '../../src/report/comparison-html.ts';
import { forecastPage } from '../../src/report/forecast-page.ts';
import { nonEmpty } from '../non-empty.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { sampleComparison } from './sample-comparison.ts';
import { analyses, report } from './sample-forecast.ts';

/** Folder for screenshots for manual review. Without it, no screenshots are taken. */
const shotsFolder = process.env['NUDGELAB_SHOTS'];

const pages = {
  comparison: comparisonHtml(sampleComparison),
  forecast: forecastPage(report, analyses),
} as const;

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, width })),
);

let browser: Browser;

beforeAll(async () => {
  if (shotsFolder !== undefined) mkdirSync(shotsFolder, { recursive: true });
  browser = await sharedBrowser();
}, 60_000);

describe.each(nonEmpty(Object.entries(pages)))('%s page in a browser', (name, text) => {
  it.each(nonEmpty(looks))(
    'axe finds no violations, and no content is cropped or wider than the window: %o',
    async ({ colorScheme, width }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      const page = await context.newPage();
      await page.setContent(text);
      if (shotsFolder !== undefined) {
        for (const [place, figure] of (await page.locator('figure').all()).entries()) {
          await figure.screenshot({ path: `${shotsFolder}/${name}-${colorScheme}-${width}-${place}.png` });
        }
      }
      // Collapsed content must be checked too.
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await page.evaluate(axe.source);
      const violations =
        await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ rule: id, at: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`);
      expect(violations).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const cutOff = await page.evaluate(`[...document.querySelectorAll('svg')].flatMap((svg) =>
      [...svg.querySelectorAll('text')].filter((text) => {
        const { x, width } = text.getBBox();
        return x < 0 || x + width > svg.viewBox.baseVal.width;
      }).map((text) => text.textContent))`);
      expect(cutOff).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
