import { parse } from 'node-html-parser';
import { expect, it } from 'vitest';
import { conformanceHtml } from '../../src/report/conformance-html.ts';
import { sampleConformance as report } from './sample-conformance.ts';

it('CF50: the page of a log is self-contained, and its text is escaped', () => {
  const page = parse(conformanceHtml(report, 'march.csv'));
  expect(page.querySelector('html')?.getAttribute('lang')).toBe('en');
  expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'");
  expect(page.querySelectorAll('script, link, img')).toEqual([]);
  expect(page.querySelector('article h4')?.textContent).toBe('User c.lind & <co>, line 9');
  expect(page.toString()).toContain('c.lind &#38; &#60;co&#62;');
});

it('CF51: the page ranks the rulesets, and shows the patterns and what would fit', () => {
  const page = parse(conformanceHtml(report, 'march.csv'));
  const ranked = page
    .querySelectorAll('[aria-label="Rulesets, the best first"] tbody th')
    .map((cell) => cell.textContent);
  expect(ranked).toEqual(['own-team', 'seed']);
  expect(page.querySelectorAll('section').map((one) => one.getAttribute('class'))).toEqual(['passed', 'failed']);
  const text = page.querySelector('section.failed')?.textContent ?? '';
  expect(text).toContain('66.6 %');
  expect(text).toContain('it is not-prompted; or it is dropped');
  expect(page.querySelector('.warnings')?.textContent).toContain('lunch');
});

it('CF52: scrolled tables are reached by keyboard and named', () => {
  const regions = parse(conformanceHtml(report, 'march.csv')).querySelectorAll('.scroll[role="region"]');
  expect(regions.length).toBeGreaterThanOrEqual(2);
  for (const one of regions)
    expect([one.getAttribute('tabindex'), one.getAttribute('aria-label')]).toEqual(['0', expect.any(String)]);
});
