import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { conformanceHtml } from '../../src/report/conformance-html.ts';
import { forecastPage } from '../../src/report/forecast-page.ts';
import { reportHtml } from '../../src/report/html-report.ts';
import { changesSince } from '../../src/report/run-changes.ts';
import { suitePageHtml } from '../../src/report/suite-page.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { sampleConformance } from './sample-conformance.ts';
import { analyses, report } from './sample-forecast.ts';
import { sampleReport } from './sample-report.ts';
import { coverage } from './sample-suite.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
}, 60_000);

/** Runs axe on a page in light and dark schemes and in wide and narrow windows. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(axe.source);
      const found = await page.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      expect([colorScheme, width, found]).toEqual([colorScheme, width, []]);
    }
  }
}

describe('report pages in a browser', { timeout: 240_000 }, () => {
  it('axe finds no violations on the suite page', async () => {
    const page = await browser.newPage();
    await page.setContent(suitePageHtml(coverage));
    await expectAccessible(page);
    await page.close();
  });

  it('CF53: axe finds no violations on the page of a log, whose tables are reached by keyboard', async () => {
    const page = await browser.newPage();
    await page.setContent(conformanceHtml(sampleConformance, 'march.csv'));
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Rulesets, the best first');
    await page.close();
  });

  it('axe finds no violations on the run report, and a search keeps only the matches', async () => {
    const page = await browser.newPage();
    await page.setContent(reportHtml(sampleReport, { changes: changesSince(sampleReport, sampleReport) }));
    await page.getByLabel('Find').fill('is asked');
    expect(await page.locator('.scenarios tbody:visible:not(.group)').count()).toBe(2);
    await page.getByLabel('Status').selectOption('skipped');
    expect(await page.locator('.scenarios tbody:visible:not(.group)').count()).toBe(1);
    expect(await page.locator('.scenarios .group:visible').count()).toBe(1);
    await expectAccessible(page);
    await page.close();
  });

  it('the forecast page fits a phone screen in light and dark schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 700 } });
      const page = await context.newPage();
      await page.setContent(forecastPage(report, analyses));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await page.locator('svg[role=img]').count()).toBe(5);
      await context.close();
    }
  });
});
